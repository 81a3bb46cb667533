import { type Endpoint, type Handler, withHead } from "./context.ts";
import { jsonReply, type Reply, textReply } from "./reply.ts";

/** One thing that must hold; throws or rejects with the reason when it does not. */
export interface HealthCheck {
  readonly name: string;
  readonly check: () => void | Promise<void>;
}

const outcome = async ({ name, check }: HealthCheck): Promise<{ readonly line: string; readonly ok: boolean }> => {
  try {
    await check();
    return { line: `[+]${name} ok`, ok: true };
  } catch (error) {
    return { line: `[-]${name} failed: ${error instanceof Error ? error.message : String(error)}`, ok: false };
  }
};

const health =
  (endpoint: string, checks: readonly HealthCheck[]): Handler =>
  async ({ info, url }): Promise<Reply> => {
    const only = info.path.slice(endpoint.length + 1).replace(/^\//, "");
    const excluded = url.searchParams.getAll("exclude");
    const asked = checks.filter(({ name }) => (only === "" ? !excluded.includes(name) : name === only));
    if (asked.length === 0 && only !== "") {
      return textReply(404, "404 page not found\n");
    }
    const results = await Promise.all(asked.map(outcome));
    const failed = results.some(({ ok }) => !ok);
    const lines = results.map(({ line }) => `${line}\n`).join("");
    if (failed) {
      return textReply(500, `${lines}${endpoint} check failed\n`);
    }
    return textReply(200, url.searchParams.has("verbose") ? `${lines}${endpoint} check passed\n` : "ok");
  };

/** `/healthz`, `/livez` and `/readyz`, each also below itself for one check. */
export const healthEndpoints = (checks: {
  readonly live: readonly HealthCheck[];
  readonly ready: readonly HealthCheck[];
}): Readonly<Record<string, Endpoint>> => {
  const ping: HealthCheck = { name: "ping", check: () => undefined };
  const live = [ping, ...checks.live];
  const ready = [...live, ...checks.ready];
  const handlers = { healthz: health("healthz", live), livez: health("livez", live), readyz: health("readyz", ready) };
  return Object.fromEntries(
    Object.entries(handlers).flatMap(([name, handler]) => [
      [`/${name}`, withHead(handler)],
      [`/${name}/`, withHead(handler)],
    ]),
  );
};

const version = {
  major: "1",
  minor: "34",
  gitVersion: "v1.34.0+capstan",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "",
  compiler: "node",
  platform: `${process.platform}/${process.arch === "x64" ? "amd64" : process.arch}`,
};

/** `/version`: the Kubernetes release whose API is spoken. */
export const versionEndpoint: Handler = async () => jsonReply(200, JSON.stringify(version));
