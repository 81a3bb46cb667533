import { readOptions, type UnixContext } from "../program.ts";
import { edited } from "./sed/editing.ts";
import { readEdits } from "./sed/read-edits.ts";
import { fileText } from "./text-input.ts";

const isWrittenBack = (word: string): boolean => /^-[nEr]*i/.test(word) || word.startsWith("--in-place");

/** Returns the suffix of the backup of a file; empty if none is kept. */
const keptAs = (word: string): string => word.replace(/^(?:-[nEr]*i|--in-place=?)/, "");

interface Order {
  readonly script: string;
  readonly files: readonly string[];
  readonly isExtended: boolean;
  readonly isQuiet: boolean;
  readonly inPlace: string | undefined;
}

/** Its arguments; `undefined`, and said so: a file of commands is not there. */
const read = (context: UnixContext): Order | undefined => {
  const { args } = context;
  const inPlace = args.find(isWrittenBack);
  const given = args.filter((word) => word !== inPlace);
  const scripts: string[] = [];
  for (const [index, word] of given.entries()) {
    const before = given[index - 1];
    if (before === "-e" || before === "--expression") scripts.push(word);
    else if (word.startsWith("--expression=")) scripts.push(word.slice(13));
    else if (before === "-f" || before === "--file") {
      const text = fileText(word, context);
      if (text === undefined) return undefined;
      scripts.push(text.replace(/\n$/, ""));
    }
  }
  const { options, words } = readOptions(given, ["-e", "--expression", "-f", "--file"]);
  const letters = inPlace?.startsWith("--") === false ? inPlace : "";
  return {
    script: (scripts.length > 0 ? scripts : words.slice(0, 1)).join("\n"),
    files: scripts.length > 0 ? words : words.slice(1),
    isExtended: ["-E", "-r", "--regexp-extended"].some((name) => options.has(name)) || /^-\w*[Er]/.test(letters),
    isQuiet: ["-n", "--quiet", "--silent"].some((name) => options.has(name)) || /^-\w*n/.test(letters),
    inPlace,
  };
};

/** `sed`, with the commands that scripts use. */
export const sed = (context: UnixContext): number => {
  const { disk, fail, input, write } = context;
  const order = read(context);
  if (order === undefined) return 1;
  const { files, inPlace, isExtended, isQuiet, script } = order;
  try {
    const edits = readEdits(script, isExtended);
    let whole = files.length === 0 ? input.all() : "";
    let missing = 0;
    for (const path of files) {
      const text = path === "-" ? input.all() : disk.text(path);
      if (text === undefined) {
        missing = fail(`can't read ${path}: No such file or directory`, 2);
        continue;
      }
      if (inPlace === undefined) {
        whole += text;
        continue;
      }
      const file = disk.stat(path);
      const kept = keptAs(inPlace);
      if (kept !== "" && file !== undefined) disk.write(`${path}${kept}`, file.bytes, file);
      disk.write(path, edited(text, edits, isQuiet).text, file);
    }
    if (inPlace !== undefined) return missing;
    const { status, text } = edited(whole, edits, isQuiet);
    write(text);
    return status === 0 ? missing : status;
  } catch (error) {
    return fail((error as Error).message);
  }
};
