/** The part of it that is used; the types of Node 20 leave WebAssembly out. */
declare const WebAssembly: {
  /** False where it needs what the processor lacks. */
  validate(bytes: Uint8Array<ArrayBuffer>): boolean;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object) => {
    readonly exports: Readonly<Record<string, unknown>>;
  };
};
