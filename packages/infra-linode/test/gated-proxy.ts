import { createServer, request as forward } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Told of every writing call, before it reaches the API and after it had its effect. */
export type CallHook = (call: string, phase: "before" | "after") => void;

export interface GatedProxy extends AsyncDisposable {
  readonly url: string;
  hook: CallHook;
}

/** Creation and deletion of an instance by these names, any other writing call by method and path. */
const nameOf = ({ method, url = "" }: IncomingMessage): string => {
  const path = url.replace(/^\/v4(?:beta)?\//, "");
  if (method === "POST" && path === "linode/instances") return "create";
  if (method === "DELETE" && /^linode\/instances\/\d+$/.test(path)) return "delete";
  return `${method} ${path}`;
};

/** Stands between the provider and the simulated API. Where the hook throws, the connection breaks, as if the process had died. */
export const gatedProxy = async (target: string): Promise<GatedProxy> => {
  const proxy = { hook: (() => undefined) as CallHook };
  const server = createServer((request, response) => {
    const told = (phase: "before" | "after"): boolean => {
      if (request.method === "GET") return true;
      try {
        proxy.hook(nameOf(request), phase);
        return true;
      } catch {
        response.socket?.destroy();
        return false;
      }
    };
    if (told("before")) pass(target, request, response, () => told("after"));
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
