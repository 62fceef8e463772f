/**
 * Computes a value once for each key, for all rules that ask for it. Values are dropped with their keys.
 */
export function remember<K extends object, A extends readonly unknown[], V>(
  compute: (key: K, ...rest: A) => V,
): (key: K, ...rest: A) => V {
  const known = new WeakMap<K, { readonly value: V }>();
  return (key, ...rest) => {
    const found = known.get(key) ?? { value: compute(key, ...rest) };
    known.set(key, found);
    return found.value;
  };
}
