import type { IncomingMessage, ServerResponse } from "node:http";
import type { ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { permission, watched } from "@capstan/kit";
import { listenUntil, type Manager } from "@capstan/runtime";
import { Hardware } from "../api/hardware.ts";
import { hardwareIndex, type HardwareIndex } from "../hardware/hardware-index.ts";
import { ec2Route, instanceRoute, noCloudRoute, storageRoute } from "../metadata/metadata-routes.ts";
import { userDataOf } from "../metadata/user-data.ts";
import { scriptRoute } from "../netboot/script-route.ts";
import { scriptSettings } from "../netboot/script-settings.ts";
import { standardPorts, type TinkerbellServices } from "../options.ts";
import { listenFailed } from "./listen-failed.ts";
import { addressRanges, clientAddress } from "../http/client-address.ts";
import {
  refusal,
  type ServiceAnswer,
  type ServiceRequest,
  type ServiceRoute,
  type ServiceSources,
} from "../http/http-answer.ts";

const name = "tinkerbell-http";

/**
 * Serves over HTTP what machines fetch: boot scripts and metadata. It reads Hardware and the Secrets with user data that Hardware names, and
 * writes nothing. Every replica serves.
 */
export const httpServices = (services: TinkerbellServices): ControllerV1 => ({
  name,
  permissions: { own: [watched(Hardware), permission(SecretResource, ["get"])] },
  attach: (manager: Manager) => {
    const trusted = addressRanges(services.trustedProxies ?? [], "trustedProxies");
    const routes: readonly ServiceRoute[] = [
      ec2Route,
      noCloudRoute,
      storageRoute,
      scriptRoute(scriptSettings(services)),
      ...(services.instanceIdRoute === true ? [instanceRoute] : []),
    ];
    const listening = Promise.withResolvers<void>();
    let index: HardwareIndex | undefined;
    const stopped = new AbortController();
    const access = { client: manager.client, signal: stopped.signal };
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { headers, socket, url = "/", method } = request;
      const forwarded = headers["x-forwarded-for"];
      const client = clientAddress(
        { peer: socket.remoteAddress ?? "", forwardedFor: Array.isArray(forwarded) ? forwarded.join(",") : forwarded },
        trusted,
      );
      const path = url.split("?", 1)[0] ?? "/";
      const known =
        index !== undefined && manager.synced
          ? { ...index, userDataOf: (hardware: Hardware) => userDataOf(hardware, access) }
          : undefined;
      const answer = await answerTo({ method: method ?? "GET", path, client }, routes, known).catch(
        (error: unknown) => {
          manager.log.warn("a machine was not served, and has to ask again", { path, client, error });
          return refusal(503, "this cannot be read now; ask again");
        },
      );
      manager.log.debug("served a machine", { path, client, status: answer.status });
      send(response, answer, { withBody: method !== "HEAD" });
    };
    manager.addRunnable({
      name,
      prepare: () => {
        index = hardwareIndex(manager.cache);
      },
      run: async ({ signal }) => {
        const { createServer } = await import("node:http");
        const { address, listen: host = address, httpPort: port = standardPorts.http } = services;
        const server = createServer((request, response) => {
          serve(request, response).catch((error: unknown) => response.destroy(error as Error));
        });
        signal.addEventListener("abort", () => stopped.abort(), { once: true });
        try {
          await listenUntil(server, { host, port }, { signal, listening: () => listening.resolve() });
        } catch (error) {
          throw listenFailed("the service of scripts and metadata", `${host}:${port}`, error as Error);
        }
      },
      started: () => listening.promise,
    });
  },
});

const answerTo = async (
  { method, ...request }: ServiceRequest & { readonly method: string },
  routes: readonly ServiceRoute[],
  sources: ServiceSources | undefined,
): Promise<ServiceAnswer> => {
  if (method !== "GET" && method !== "HEAD") return refusal(405, "only GET is served");
  // An empty cache must not say that there is no such machine.
  if (sources === undefined) return refusal(503, "Hardware has not been read yet");
  for (const route of routes) {
    const answer = route(request, sources);
    if (answer !== undefined) return answer;
  }
  return refusal(404, "there is nothing at this path");
};

const send = (
  response: ServerResponse,
  { status, body, type = "text/plain; charset=utf-8" }: ServiceAnswer,
  { withBody }: { readonly withBody: boolean },
): void => {
  response.writeHead(status, { "content-type": type, "content-length": Buffer.byteLength(body) });
  response.end(withBody ? body : undefined);
};
