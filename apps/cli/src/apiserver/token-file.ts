import type { User } from "@capstan/apiserver";

/** The fields of one line of comma-separated values; quotes double inside quotes. `undefined`: a quote is not closed. */
const fieldsOf = (line: string): readonly string[] | undefined => {
  const fields: string[] = [];
  let rest = line;
  for (;;) {
    const quoted = /^\s*"((?:[^"]|"")*)"\s*(?=,|$)/.exec(rest);
    const match = quoted ?? /^([^",]*)(?=,|$)/.exec(rest);
    if (match === null) return undefined;
    const [whole, value = ""] = match;
    fields.push(quoted === null ? value.trim() : value.replaceAll('""', '"'));
    rest = rest.slice(whole.length);
    if (rest === "") return fields;
    rest = rest.slice(1);
  }
};

/**
 * Reads a token file in kube-apiserver's format, `token,user,uid,"group1,group2"`, groups optional, `#` begins a comment line.
 * `complain` is called with line number and words for a line that cannot be used; it throws.
 */
export const parseTokenFile = (
  text: string,
  complain: (line: number, words: string) => never,
): Readonly<Record<string, User>> => {
  const users = new Map<string, User>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const fields = fieldsOf(line) ?? complain(index + 1, "a quote is not closed");
    const [token = "", name = "", uid = "", groups = ""] = fields;
    if (fields.length < 3) {
      complain(index + 1, `has ${fields.length} columns, expected token,user,uid,"group1,group2"`);
    }
    if (token === "" || name === "") complain(index + 1, `has no ${token === "" ? "token" : "user"}`);
    if (users.has(token)) complain(index + 1, "repeats the token of an earlier line");
    users.set(token, {
      name,
      ...(uid === "" ? {} : { uid }),
      groups: groups
        .split(",")
        .map((group) => group.trim())
        .filter((group) => group !== ""),
    });
  }
  return Object.fromEntries(users);
};
