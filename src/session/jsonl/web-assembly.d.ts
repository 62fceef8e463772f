/** The part of it that is used; the types of Node 20 leave WebAssembly out. */
declare namespace WebAssembly {
  /** False where it needs what the processor lacks. */
  function validate(bytes: Uint8Array<ArrayBuffer>): boolean;

  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
    private readonly isCompiled: true;
  }

  class Memory {
    constructor(size: { readonly initial: number });
    readonly buffer: ArrayBuffer;
  }

  class Instance {
    constructor(
      module: Module,
      imports?: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
    );
    readonly exports: Readonly<Record<string, unknown>>;
  }

  interface WebAssemblyInstantiatedSource {
    readonly module: Module;
    readonly instance: Instance;
  }
}
