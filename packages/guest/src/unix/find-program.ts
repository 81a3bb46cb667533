import type { Session } from "./session.ts";
import { isExecutable } from "./condition.ts";

/** Where programs are looked for. */
export const usualPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin";

/** The path of a program: as it is with a slash in it, else of the first folder of `PATH` that has it. */
export const findProgram = (name: string, session: Session): string | undefined => {
  const isFile = (path: string): boolean => {
    const file = session.disk.stat(path);
    return file !== undefined && isExecutable(file.permissions);
  };
  if (name.includes("/")) return isFile(session.path(name)) ? session.path(name) : undefined;
  const folders = session.variables.get("PATH") ?? usualPath;
  return String(folders)
    .split(":")
    .map((folder) => `${folder}/${name}`)
    .find(isFile);
};
