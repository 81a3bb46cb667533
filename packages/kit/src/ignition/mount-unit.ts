import type { JsonObject } from "@capstan/schema";
import { escapedPath, unitText } from "./systemd.ts";

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** The unit that mounts a file system of a config at every boot, or switches swap on; `undefined` without a place for it. */
export const mountUnit = (filesystem: JsonObject): JsonObject | undefined => {
  const [device, format, path] = [filesystem["device"], filesystem["format"], filesystem["path"]].map(textOf);
  const options = Array.isArray(filesystem["mountOptions"]) ? filesystem["mountOptions"].join(",") : "";
  if (format === "swap") {
    const contents = unitText({
      Swap: { What: device, Options: options },
      Install: { RequiredBy: "swap.target" },
    });
    return { name: `${escapedPath(device ?? "")}.swap`, enabled: true, contents };
  }
  if (path === undefined || path === "") return undefined;
  const check = `systemd-fsck@${escapedPath(device ?? "")}.service`;
  const contents = unitText({
    Unit: { Requires: check, After: check },
    Mount: { Where: path, What: device, Type: format, Options: options },
    Install: { RequiredBy: "local-fs.target" },
  });
  return { name: `${escapedPath(path)}.mount`, enabled: true, contents };
};
