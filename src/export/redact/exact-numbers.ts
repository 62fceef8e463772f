import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
} from '../../session/jsonl/edit/json.ts';
import { isOpaque, MAX_DEPTH, toField } from './places.ts';

/** A number as JSON has it, without its sign. Of a long one, some digits are lost when it is read, and others shown. */
const NUMBER = /^(?:0|[1-9]\d{0,99})(?:\.\d{1,99})?$/;
/** Names of members whose numbers are added up by programs. */
const COUNTED =
  /^(?:cost|timestamp|ordinal|version|tokensBefore|exitCode|exit_code)$|(?:[uU]sage|Tokens|Ms|At)$|_(?:at|ms|tokens|window|offset)$/;

/** Members with the arguments of a tool: nothing in them is added up, whatever its name. */
const GIVEN = /(?:^|\.)(?:arguments|args|input|params|parameters)(?:[.[{]|$)/;

/** The secrets of a list that may be numbers in JSON, by their value. */
export function listNumbers(secrets: readonly string[]): ReadonlyMap<number, string> {
  return new Map(secrets.filter((one) => NUMBER.test(one)).map((one) => [Number(one), one]));
}

export type HideNumber = (secret: string, field: string) => string;

/** Replaces each of those numbers; returns the same object if there are none. */
export function mapNumbers(
  payload: JsonObject,
  numbers: ReadonlyMap<number, string>,
  hide: HideNumber,
): JsonObject {
  if (numbers.size === 0) return payload;
  const mapValue = (value: JsonValue, field: string, depth: number): JsonValue => {
    if (typeof value === 'number') {
      const secret = numbers.get(Math.abs(value));
      return secret === undefined ? value : hide(secret, field);
    }
    if (depth >= MAX_DEPTH) return value;
    if (isArray(value)) {
      const safe = value.map((item, at) => mapValue(item, toField(field, `[${at}]`), depth + 1));
      return safe.some((item, at) => item !== value[at]) ? safe : value;
    }
    return isObject(value) ? mapMembers(value, field, depth) : value;
  };
  const mapMembers = (value: JsonObject, field: string, depth: number): JsonObject => {
    let isChanged = false;
    const members = Object.entries(value).flatMap(([name, item]): [string, JsonValue][] => {
      if (item === undefined) return [];
      if (COUNTED.test(name) && !GIVEN.test(field)) return [[name, item]];
      const safe = mapValue(item, toField(field, field ? `.${name}` : name), depth + 1);
      isChanged ||= safe !== item;
      return [[name, safe]];
    });
    if (!isChanged) return value;
    // A signature vouches for what is no longer there.
    return Object.fromEntries(members.filter(([name]) => !isOpaque(name)));
  };
  return mapMembers(payload, '', 0);
}
