/** A step of the path to a field: the name of a field, the index of an item, or fields by which an item is known. */
export type PathStep = number | string | Readonly<Record<string, string>>;

/** Fields in messages begin at these, or behind a dot. */
const roots = "spec|metadata|data|stringData|status|webhooks|rules|subjects|roleRef|type|kind|apiVersion";
const tail = String.raw`(?:\.[A-Za-z_$][\w$-]*|\[[^\]]*\])`;
const named = new RegExp(String.raw`(?<![\w./-])(?:\.([A-Za-z_$][\w$-]*${tail}*)|((?:${roots})${tail}+))`);

/** The first field that a message names: `spec.replicas`, or as the server writes it `.spec.replicas`. */
export const fieldIn = (message: string): string | undefined => {
  const [, dotted, plain] = named.exec(message) ?? [];
  return dotted ?? plain;
};

const unquoted = (text: string): string => text.replaceAll(/^"|"$/g, "");

/** Parses the text between brackets: `0`, `name="a"`, `port=80,protocol="TCP"`, or the key of a map. */
const stepOf = (inside: string): PathStep => {
  if (/^\d+$/.test(inside)) return Number(inside);
  const keys = [...inside.matchAll(/([A-Za-z]\w*)=("(?:[^"\\]|\\.)*"|[^,]+)(?:,|$)/g)];
  if (keys.length === 0) return unquoted(inside);
  return Object.fromEntries(keys.map(([, key = "", value = ""]) => [key, unquoted(value)]));
};

/** The steps of a path such as `spec.files[0].path` or `metadata.labels[a.b/c]`. */
export const stepsOf = (field: string): readonly PathStep[] =>
  [...field.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([step, inside]) => (inside === undefined ? step : stepOf(inside)));
