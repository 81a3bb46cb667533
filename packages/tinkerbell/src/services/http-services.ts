import type { IncomingMessage, ServerResponse } from "node:http";
import type { BlockList } from "node:net";
import { pipeline } from "node:stream/promises";
import type { ControllerV1 } from "@capstan/contract/v1";
import { SecretResource } from "@capstan/contract/wire";
import { permission, watched } from "@capstan/kit";
import type { AddressGuard } from "@capstan/contract";
import { listenUntil, type Manager } from "@capstan/runtime";
import { Hardware } from "../api/hardware.ts";
import { hardwareIndex, type HardwareIndex } from "../hardware/hardware-index.ts";
import { ec2Route, instanceRoute, noCloudRoute, storageRoute } from "../metadata/metadata-routes.ts";
import { userDataOf } from "../metadata/user-data.ts";
import { binaryRoute } from "../netboot/binary-route.ts";
import type { BootFolder } from "../netboot/boot-folder.ts";
import { isoRoute } from "../netboot/iso-route.ts";
import { isoSettings } from "../netboot/iso-settings.ts";
import { type IsoSource, isoSource } from "../netboot/iso-source.ts";
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
export const httpServices = (
  services: TinkerbellServices,
  { folder, guard }: { readonly folder?: BootFolder | undefined; readonly guard?: AddressGuard | undefined } = {},
): ControllerV1 => ({
  name,
  permissions: { own: [watched(Hardware), permission(SecretResource, ["get"])] },
  attach: (manager: Manager) => {
    const trusted = addressRanges(services.trustedProxies ?? [], "trustedProxies");
    const stopped = new AbortController();
    const images = isoSource({ guard, signal: stopped.signal });
    const routes = routesOf(services, images, folder);
    const listening = Promise.withResolvers<void>();
    let index: HardwareIndex | undefined;
    const access = { client: manager.client, signal: stopped.signal };
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const asked = askedBy(request, trusted);
      const { client, isHead, path } = asked;
      const known =
        index !== undefined && manager.synced
          ? { ...index, userDataOf: (hardware: Hardware) => userDataOf(hardware, access) }
          : undefined;
      const answer = await answerTo(asked, routes, known).catch((error: unknown) => {
        manager.log.warn("a machine was not served, and has to ask again", { path, client, error });
        return refusal(503, "this cannot be read now; ask again");
      });
      manager.log.debug("served a machine", { path, client, status: answer.status });
      await send(response, answer, { withBody: !isHead });
    };
    manager.addRunnable({
      name,
      prepare: () => {
        index = hardwareIndex(manager.cache);
      },
      run: async ({ signal }) => {
        signal.addEventListener("abort", () => stopped.abort(), { once: true });
        try {
          await listen(services, serve, { signal, listening: listening.resolve });
        } finally {
          await images.close();
        }
      },
      started: () => listening.promise,
    });
  },
});

const routesOf = (
  services: TinkerbellServices,
  images: IsoSource,
  folder: BootFolder | undefined,
): readonly ServiceRoute[] => {
  const script = scriptSettings(services);
  return [
    ec2Route,
    noCloudRoute,
    storageRoute,
    scriptRoute(script),
    isoRoute(script, isoSettings(services), images),
    ...(folder === undefined ? [] : [binaryRoute(folder)]),
    ...(services.instanceIdRoute === true ? [instanceRoute] : []),
  ];
};

type Asked = ServiceRequest & { readonly method: string };

const askedBy = ({ headers, method = "GET", socket, url = "/" }: IncomingMessage, trusted: BlockList): Asked => {
  const forwarded = headers["x-forwarded-for"];
  const forwardedFor = Array.isArray(forwarded) ? forwarded.join(",") : forwarded;
  const client = clientAddress({ peer: socket.remoteAddress ?? "", forwardedFor }, trusted);
  return { method, path: url.split("?", 1)[0] ?? "/", client, isHead: method === "HEAD", range: headers.range };
};

const listen = async (
  { address, listen: host = address, httpPort: port = standardPorts.http }: TinkerbellServices,
  serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  { listening, signal }: { readonly signal: AbortSignal; readonly listening: () => void },
): Promise<void> => {
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    serve(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  try {
    await listenUntil(server, { host, port }, { signal, listening });
  } catch (error) {
    throw listenFailed("the service of scripts and metadata", `${host}:${port}`, error as Error);
  }
};

const answerTo = async (
  { method, ...request }: Asked,
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

const send = async (
  response: ServerResponse,
  { status, body, headers = {}, length, type = "text/plain; charset=utf-8" }: ServiceAnswer,
  { withBody }: { readonly withBody: boolean },
): Promise<void> => {
  const isWhole = typeof body === "string" || body instanceof Uint8Array;
  const bytes = length ?? (isWhole ? Buffer.byteLength(body) : undefined);
  response.writeHead(status, {
    "content-type": type,
    ...(bytes !== undefined && { "content-length": bytes }),
    ...headers,
  });
  if (isWhole || !withBody) response.end(withBody ? body : undefined);
  else await pipeline(body, response);
};
