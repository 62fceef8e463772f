import { isArray, isObject, type JsonObject, type JsonValue } from '../jsonl/edit/json.ts';

/** Describes the fault in the value of a field, as the end of a sentence; undefined if it is valid. */
export type FieldCheck = (value: JsonValue | undefined) => string | undefined;

export type Fields = readonly (readonly [key: string, check: FieldCheck])[];

export function toFields(checks: Readonly<Record<string, FieldCheck>>): Fields {
  return Object.entries(checks);
}

export const isText = (value: unknown): boolean => typeof value === 'string';
const isNumber = (value: unknown): boolean => typeof value === 'number';
const isBoolean = (value: unknown): boolean => typeof value === 'boolean';

/** A value of a kind that has a name. */
export function must(isRight: (value: unknown) => boolean, what: string): FieldCheck {
  return (value) => {
    if (isRight(value)) return undefined;
    return value === undefined ? 'is missing' : `is not ${what}`;
  };
}

export const text = must(isText, 'a string');
export const number = must(isNumber, 'a number');
export const boolean = must(isBoolean, 'a boolean');
export const object = must(isObject, 'an object');
export const array = must(isArray, 'an array');

/** Absent, or null, as well as right. */
export function optional(check: FieldCheck): FieldCheck {
  return (value) => (value === undefined || value === null ? undefined : check(value));
}

/** An object with these fields. */
export function nested(fields: Fields): FieldCheck {
  return (value) => {
    if (!isObject(value)) return object(value);
    const faults = findFaults(value, fields);
    return faults && `is incomplete (${faults})`;
  };
}

/** Describes the faults in the fields of an object, in one phrase; undefined if there are none. */
export function findFaults(value: JsonObject, fields: Fields): string | undefined {
  let faults: string | undefined;
  for (const [key, check] of fields) {
    const fault = check(value[key]);
    if (fault !== undefined) faults = faults ? `${faults}, ${key} ${fault}` : `${key} ${fault}`;
  }
  return faults;
}
