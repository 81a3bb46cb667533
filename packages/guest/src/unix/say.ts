import type { Session, Streams } from "./session.ts";
import { ShellSyntaxError } from "./syntax.ts";

/** Says what has ended a shell, or a line of it. */
export const say = (error: Error, session: Session, streams: Streams): void => {
  const line = error instanceof ShellSyntaxError ? error.line : session.line;
  const place = `${session.name}: ${session.dialect === "bash" ? "line " : ""}${line}: `;
  for (const part of error.message.split("\0")) streams.err(`${place}${part}\n`);
};
