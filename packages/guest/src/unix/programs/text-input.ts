import { deviceText } from "../devices.ts";
import type { UnixContext } from "../program.ts";

/** The lines of a text, without their ends. */
export const linesOf = (text: string, ending = "\n"): readonly string[] => {
  const lines = text.split(ending);
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

/** The text of a file or a device; of `-` the input. `undefined`, and said so, where there is none. */
export const fileText = (path: string, { disk, fail, input, session }: UnixContext): string | undefined => {
  const text = path === "-" || path === "/dev/stdin" ? input.all() : (deviceText(path, session) ?? disk.text(path));
  if (text === undefined) fail(`${path}: ${disk.isDirectory(path) ? "Is a directory" : "No such file or directory"}`);
  return text;
};

/** The text of the named files, or the input; `undefined`, and said so, where one is not there. */
export const textOf = (paths: readonly string[], context: UnixContext): string | undefined => {
  if (paths.length === 0) return context.input.all();
  let text = "";
  for (const path of paths) {
    const part = fileText(path, context);
    if (part === undefined) return undefined;
    text += part;
  }
  return text;
};
