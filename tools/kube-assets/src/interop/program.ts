import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a program to its end; its standard output. Rejects with what it said on standard error. */
export const runProgram = async (
  program: string,
  args: readonly string[],
  options: { readonly env: Readonly<Record<string, string>>; readonly input?: string },
): Promise<string> => {
  const child = spawn(program, args, { env: options.env });
  const texts: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) child[name].on("data", (chunk: Buffer) => (texts[name] += chunk));
  child.stdin.end(options.input ?? "");
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} failed:\n${texts.stderr}`);
  return texts.stdout;
};
