import { CapstanError, type Clock } from "@capstan/contract";
import { request } from "undici";
import type { Program, ProgramContext } from "../unix/program.ts";

/** Options of curl that take a value and that the model needs or passes over. */
const withValue = new Set(["--upload-file", "--header", "--retry", "--retry-delay", "--max-time", "--connect-timeout"]);

/** Answers that `--retry` is for. */
const passing = new Set([408, 429, 500, 502, 503, 504]);

/** Exit codes of curl: a server refuses the request under `--fail`, or no server answers. */
const status = { refused: 22, unreachable: 7 } as const;

interface Upload {
  readonly url: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: number;
}

const readArguments = (args: readonly string[]): Upload | undefined => {
  const values = new Map<string, string[]>();
  let url: string | undefined;
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index] ?? "";
    if (withValue.has(word)) values.set(word, [...(values.get(word) ?? []), args[(index += 1)] ?? ""]);
    else if (!word.startsWith("-")) url ??= word;
  }
  const path = values.get("--upload-file")?.[0];
  if (url === undefined || path === undefined) return undefined;
  const headers = Object.fromEntries(
    (values.get("--header") ?? []).map((line) => {
      const at = line.indexOf(":");
      return [line.slice(0, at).trim(), line.slice(at + 1).trim()];
    }),
  );
  return { url, path, headers, retries: Number(values.get("--retry")?.[0] ?? 0) };
};

/** One PUT; the status of the answer. Throws when there is none, without the URL, which may be a secret. */
const put = async ({ url, headers }: Upload, body: Uint8Array, signal: AbortSignal): Promise<number> => {
  try {
    const answer = await request(url, { method: "PUT", headers, body, signal });
    await answer.body.dump();
    return answer.statusCode;
  } catch (error) {
    signal.throwIfAborted();
    throw new CapstanError({
      code: "guest.upload_failed",
      reason: "UploadFailed",
      message: `an upload got no answer (${(error as { readonly code?: string }).code ?? "unknown failure"})`,
      cause: error,
    });
  }
};

const upload = async (order: Upload, clock: Clock, context: ProgramContext): Promise<number> => {
  const body = context.disk.stat(order.path)?.bytes;
  if (body === undefined) {
    context.console.print("curl", `cannot read ${order.path}`);
    return 26;
  }
  for (let attempt = 0; ; attempt += 1) {
    const answer = await put(order, body, context.signal).catch((error: CapstanError) => error);
    if (typeof answer === "number" && answer < 400) return 0;
    if ((typeof answer !== "number" || passing.has(answer)) && attempt < order.retries) {
      await clock.sleep(1000 * 2 ** attempt, { signal: context.signal });
      continue;
    }
    context.signal.throwIfAborted();
    context.console.print("curl", typeof answer === "number" ? `the server answered ${answer}` : answer.message);
    return typeof answer === "number" ? status.refused : status.unreachable;
  }
};

/** `curl --upload-file FILE URL` over real HTTP. */
export const curlUpload =
  (clock: Clock): Program =>
  (context) => {
    const order = readArguments(context.args);
    if (order !== undefined) return upload(order, clock, context);
    context.console.print("curl", "(2) no URL specified");
    return 2;
  };
