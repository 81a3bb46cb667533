import type { FileTree } from "../file-tree.ts";
import type { Finding, Rule } from "../repository.ts";

const notOurs = new Set(["node_modules", "dist", "templates"]);

/** Every Markdown file, but for those of templates, which are written for another place. */
const documentsIn = (tree: FileTree, folder = ""): readonly string[] =>
  tree.list(folder).flatMap((name) => {
    if (notOurs.has(name) || name.startsWith(".")) return [];
    const path = folder === "" ? name : `${folder}/${name}`;
    return name.endsWith(".md") ? [path] : documentsIn(tree, path);
  });

const fence = /^(```+)(\w*)\n([\s\S]*?)^\1$/gm;

const finding = (where: string, message: string): Finding => ({ rule: "documents", where, message });

/** The path that a relative link from one file means. */
const resolved = (from: string, link: string): string =>
  `${from.split("/").slice(0, -1).join("/")}/${link}`.split("/").reduce((path, part) => {
    if (part === "" || part === ".") return path;
    if (part === "..") return path.split("/").slice(0, -1).join("/");
    return path === "" ? part : `${path}/${part}`;
  }, "");

/** Returns the name of a heading in links. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const hasAnchor = (text: string, anchor: string): boolean =>
  [...text.replaceAll(fence, "").matchAll(/^#+ (.*)$/gm)].some(([, heading = ""]) => anchorOf(heading) === anchor);

const links = (tree: FileTree, where: string, text: string): readonly Finding[] => {
  const prose = text.replaceAll(fence, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^()\s]+)\)/g)].flatMap(([, link = ""]) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = "", anchor] = link.split("#");
    const path = file === "" ? where : resolved(where, file);
    if (!tree.exists(path)) return [finding(where, `the link ${link} goes to ${path}, which does not exist`)];
    if (anchor === undefined || !path.endsWith(".md") || hasAnchor(tree.read(path) ?? "", anchor)) return [];
    return [finding(where, `the link ${link} goes to a heading that ${path} does not have`)];
  });
};

const origin = /<!-- from (\S+) -->\s*$/;

/** The formatter takes from a block the indentation that it has in its file. */
const flat = (code: string): string => code.replaceAll(/^ +/gm, "");

const importsOf = (code: string): readonly string[] => code.match(/^import [^;]*;$/gm) ?? [];

/** The formatter breaks long imports elsewhere in a document. */
const onOneLine = (statement: string): string => statement.replaceAll(/\s+/g, " ").replace(", }", " }");

/** Imports may stand apart in the file, among others; the rest is one piece of it. */
const isExcerpt = (block: string, source: string): boolean => {
  const imports = importsOf(flat(block));
  const rest = imports.reduce((text, statement) => text.replace(statement, ""), flat(block)).trim();
  const present = new Set(importsOf(source).map(onOneLine));
  return source.includes(rest) && imports.every((statement) => present.has(onOneLine(statement)));
};

/**
 * Checks that TypeScript in a document is an excerpt of a file that is compiled and tested; the comment before it names
 * the file.
 */
const excerpts = (tree: FileTree, where: string, text: string): readonly Finding[] =>
  [...text.matchAll(fence)].flatMap(({ index, 2: language, 3: block = "" }) => {
    const [, file] = origin.exec(text.slice(0, index)) ?? [];
    const [first = ""] = block.split("\n");
    if (file === undefined) {
      if (language !== "ts") return [];
      return [finding(where, `say where "${first}" is from, by a line <!-- from PATH --> before the block`)];
    }
    const source = tree.read(file);
    if (source === undefined) return [finding(where, `${file}, which an excerpt is from, does not exist`)];
    return isExcerpt(block, flat(source))
      ? []
      : [finding(where, `the excerpt that begins with "${first}" is not in ${file}`)];
  });

/** Links of documents lead somewhere, and their code is code of the repository. */
export const documentsRule: Rule = ({ tree }) =>
  documentsIn(tree).flatMap((path) => {
    const text = tree.read(path) ?? "";
    return [...links(tree, path, text), ...excerpts(tree, path, text)];
  });
