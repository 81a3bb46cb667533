import { createServer, request as forward } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Called with every writing call, before it reaches the API and after it had its effect. */
export type CallHook = (call: string, phase: "before" | "after") => void;

/** Stands between a provider and the HTTP API of a simulated cloud: what conformance suites let a process die at. */
export interface GatedProxy extends AsyncDisposable {
  readonly url: string;
  /** Where it throws, the connection breaks, as if the process had died. */
  hook: CallHook;
}

/** Starts a proxy before an API. `nameOf` is what a call is called in reports; default: method and path. */
export const gatedProxy = async (
  target: string,
  {
    nameOf = ({ method, path }) => `${method} ${path}`,
  }: {
    readonly nameOf?: (call: { readonly method: string; readonly path: string }) => string;
  } = {},
): Promise<GatedProxy> => {
  const proxy = { hook: (() => undefined) as CallHook };
  const server = createServer((request, response) => {
    const { method = "GET", url = "/" } = request;
    const passes = (phase: "before" | "after"): boolean => {
      if (method === "GET" || method === "HEAD") return true;
      try {
        proxy.hook(nameOf({ method, path: url.split("?", 1)[0] ?? url }), phase);
        return true;
      } catch {
        response.socket?.destroy();
        return false;
      }
    };
    if (passes("before")) pass(target, request, response, () => passes("after"));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  });
};

const pass = (target: string, request: IncomingMessage, response: ServerResponse, allowed: () => boolean): void => {
  const { method, headers, url } = request;
  const upstream = forward(`${target}${url}`, { method: method ?? "GET", headers }, (answer) => {
    if (!allowed()) {
      answer.resume();
      return;
    }
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  upstream.on("error", () => response.destroy());
  request.pipe(upstream);
};
