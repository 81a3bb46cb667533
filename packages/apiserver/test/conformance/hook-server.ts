import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { createCertificateAuthority, issueCertificate } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";

/** What a webhook is asked. */
export interface HookCall {
  readonly url: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- reviews of many shapes
  readonly review: any;
}

/** `response` of the review; or `raw`, the whole body; `never`: no answer comes; `cut`: the connection ends. */
export type HookAnswer =
  | { readonly response: object }
  | { readonly raw: string; readonly code?: number }
  | { readonly never: true }
  | { readonly cut: true };

// oxlint-disable-next-line typescript/no-explicit-any -- requests of many shapes
export type Hook = (request: any) => HookAnswer;

/** An HTTPS server with a webhook per path. */
export interface HookServer {
  readonly url: string;
  /** PEM in base64. */
  readonly caBundle: string;
  readonly calls: readonly HookCall[];
  /** Label `marker` of the objects that the webhook at `markerPath` was asked about; it allows everything. */
  readonly marked: ReadonlySet<string>;
  /** Forgets the calls and sets the webhooks. */
  reset(hooks: Readonly<Record<string, Hook>>): void;
  close(): Promise<void>;
}

const bodyOf = (answer: { readonly response: object }, review: HookCall["review"]): string =>
  JSON.stringify({
    apiVersion: review.apiVersion,
    kind: review.kind,
    response: { uid: review.request.uid, ...answer.response },
  });

export const markerPath = "/marker";

/** Starts the server on a free port of the loopback. */
export const startHookServer = async (): Promise<HookServer> => {
  const now = systemClock.now();
  const authority = await createCertificateAuthority({ now, algorithm: "ECDSA-P256" });
  const leaf = await issueCertificate(authority, {
    now,
    commonName: "webhook",
    usages: ["server"],
    algorithm: "ECDSA-P256",
    hosts: ["127.0.0.1", "known.n.svc"],
  });
  let hooks: Readonly<Record<string, Hook>> = {};
  let calls: HookCall[] = [];
  const marked = new Set<string>();
  const server = createServer({ cert: leaf.certificate, key: leaf.key }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const review = JSON.parse(Buffer.concat(chunks).toString());
      const url = request.url ?? "/";
      if (url.startsWith(markerPath)) marked.add(review.request.object.metadata.labels.marker);
      else calls.push({ url, review });
      const hook = url.startsWith(markerPath) ? allow : hooks[url.split("?")[0] ?? ""];
      const answer = hook?.(review.request) ?? { raw: "", code: 404 };
      if ("never" in answer) return;
      if ("cut" in answer) return void request.socket.destroy();
      const code = "raw" in answer ? (answer.code ?? 200) : 200;
      response.writeHead(code, { "content-type": "application/json" });
      response.end("raw" in answer ? answer.raw : bodyOf(answer, review));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    caBundle: Buffer.from(authority.certificate).toString("base64"),
    get calls() {
      return calls;
    },
    marked,
    reset: (next) => {
      hooks = next;
      calls = [];
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

export const allow = (): HookAnswer => ({ response: { allowed: true } });

/** Allows with a JSON patch. */
export const patchWith =
  (...operations: readonly object[]): Hook =>
  () => ({
    response: {
      allowed: true,
      patchType: "JSONPatch",
      patch: Buffer.from(JSON.stringify(operations)).toString("base64"),
    },
  });
