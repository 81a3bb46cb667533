import type { Session } from "./session.ts";

/** Characters that a device gives which never ends. */
const endless = 65_536;

/** Returns the text that is read from a device; `undefined`: the model has no device of that path. */
export const deviceText = (path: string, { effort }: Pick<Session, "effort">): string | undefined => {
  if (path === "/dev/null") return "";
  if (path === "/dev/zero") return "\0".repeat(endless);
  const random = (length: number): string => Array.from({ length }, () => (effort.random() & 15).toString(16)).join("");
  if (path === "/proc/sys/kernel/random/uuid") {
    return `${random(8)}-${random(4)}-4${random(3)}-a${random(3)}-${random(12)}\n`;
  }
  if (path !== "/dev/urandom" && path !== "/dev/random") return undefined;
  return Array.from({ length: endless }, () => String.fromCharCode(effort.random() & 0x7f)).join("");
};
