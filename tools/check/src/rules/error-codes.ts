import { templates, type Finding, type Repository, type Rule } from "../repository.ts";

const where = "docs/errors.md";

const assigned = /\bcode: "([a-z0-9]+)\.[a-z0-9_]+"/g;
// A name that ends so is a unit of systemd.
const literal = /"([a-z0-9]+)\.((?!(?:service|mount)")[a-z0-9_]+)"/g;
const withReason = /\bcode: "([a-z0-9]+\.[a-z0-9_]+)",\s*reason: "(\w+)"/g;
const row = /^\| `([a-z0-9]+\.[a-z0-9_]+)` *\|([^|]*)/gm;

/** Texts of the code that throws: no tests, no tools, and no providers that are still to be written. */
const sources = ({ packages }: Repository): readonly { readonly path: string; readonly text: string }[] =>
  packages
    .filter(({ folder }) => !folder.startsWith("tools/") && !folder.startsWith(templates))
    .flatMap(({ files }) => files)
    .filter(({ test }) => !test)
    .map(({ path, code }) => ({ path, text: code }));

/**
 * Codes and where they are mentioned first. Many stand in tables or are arguments, so every string counts whose first part
 * begins a code somewhere: in `code: "…"` or in the document.
 */
const mentioned = (repository: Repository, documented: ReadonlyMap<string, string>): ReadonlyMap<string, string> => {
  const files = sources(repository);
  const namespaces = new Set([
    ...files.flatMap(({ text }) => [...text.matchAll(assigned)].map(([, namespace]) => namespace)),
    ...[...documented.keys()].map((code) => code.split(".")[0]),
  ]);
  const codes = new Map<string, string>();
  for (const { path, text } of files) {
    for (const [, namespace, rest] of text.matchAll(literal)) {
      const code = `${namespace}.${rest}`;
      if (namespaces.has(namespace) && !codes.has(code)) codes.set(code, path);
    }
  }
  return codes;
};

/** Reasons that stand beside a code and not in its row. */
const otherReasons = (repository: Repository, documented: ReadonlyMap<string, string>): readonly Finding[] =>
  sources(repository).flatMap(({ path, text }) =>
    [...text.matchAll(withReason)].flatMap(([, code = "", reason = ""]) => {
      const known = documented.get(code);
      if (known === undefined || known.split(/\W+/).includes(reason)) return [];
      return [finding(path, `${code} has the reason ${reason}, in ${where} it is ${known}`)];
    }),
  );

/** Every error code has a row in docs/errors.md with its reason, and every row there is a code that some source mentions. */
export const errorCodesRule: Rule = (repository) => {
  const rows = (repository.tree.read(where) ?? "").matchAll(row);
  const documented = new Map([...rows].map(([, code = "", reasons = ""]) => [code, reasons.trim()]));
  const codes = mentioned(repository, documented);
  return [
    ...[...codes]
      .filter(([code]) => !documented.has(code))
      .map(([code, path]) => finding(path, `${code} is not in ${where}`)),
    ...[...documented.keys()]
      .filter((code) => !codes.has(code))
      .map((code) => finding(where, `no source mentions ${code}`)),
    ...otherReasons(repository, documented),
  ];
};

const finding = (place: string, message: string): Finding => ({ rule: "error-codes", where: place, message });
