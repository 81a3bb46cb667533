import type { PeerCertificate } from "node:tls";
import type { ServerCredentials } from "@grpc/grpc-js";
import type { ControllerV1 } from "@capstan/contract/v1";
import { eventPermissions, permission, watched } from "@capstan/kit";
import type { Manager } from "@capstan/runtime";
import { Hardware } from "../api/hardware.ts";
import { Workflow } from "../api/workflow.ts";
import { hardwareIndex, type HardwareIndex } from "../hardware/hardware-index.ts";
import { standardPorts, type TinkerbellServices } from "../options.ts";
import { listenFailed } from "./listen-failed.ts";
import { gatewayServices } from "../worker/gateway.ts";
import { certificateNames, identify } from "../worker/identity.ts";
import { indexWorkflows, workflowStore } from "../worker/workflow-store.ts";

const name = "tinkerbell-grpc";

/** The API of agents: it hands out actions and takes reports, of each agent its own. It reads Hardware, and writes the status of Workflows. */
export const grpcService = (services: TinkerbellServices): ControllerV1 => ({
  name,
  permissions: {
    own: [
      watched(Hardware),
      watched(Workflow, ["get"]),
      permission(Workflow, ["patch"], { subresource: "status" }),
      ...eventPermissions,
    ],
  },
  attach: (manager: Manager) => {
    const listening = Promise.withResolvers<void>();
    let hardware: HardwareIndex | undefined;
    manager.addRunnable({
      name,
      prepare: () => {
        hardware = hardwareIndex(manager.cache);
        indexWorkflows(manager.cache);
      },
      run: async ({ signal }) => {
        const index = hardware;
        if (index === undefined) return;
        await serve(manager, services, index, { signal, listening: listening.resolve });
      },
      started: () => listening.promise,
    });
  },
});

const serverCredentials = (
  { createInsecure, createSsl }: Pick<typeof ServerCredentials, "createInsecure" | "createSsl">,
  { grpcTls: tls, workerPolicy }: TinkerbellServices,
  at: string,
): ServerCredentials => {
  if (workerPolicy === "mtls" && tls?.clientCa === undefined) {
    throw listenFailed("the agents' API", at, new Error("workerPolicy mtls needs grpcTls with clientCa"));
  }
  if (tls === undefined) return createInsecure();
  const pair = { cert_chain: Buffer.from(tls.certificate), private_key: Buffer.from(tls.key) };
  const clientCa = tls.clientCa === undefined ? null : Buffer.from(tls.clientCa);
  try {
    return createSsl(clientCa, [pair], workerPolicy === "mtls");
  } catch (error) {
    throw listenFailed("the agents' API", at, error instanceof Error ? error : new Error(String(error)));
  }
};

const serve = async (
  manager: Manager,
  services: TinkerbellServices,
  hardware: HardwareIndex,
  { listening, signal }: { readonly signal: AbortSignal; readonly listening: () => void },
): Promise<void> => {
  const { Server, ServerCredentials } = await import("@grpc/grpc-js");
  const { address, grpcPort = standardPorts.grpc, listen = address, workerPolicy: policy = "ip" } = services;
  const server = new Server();
  const { clock, log } = manager;
  const parts = {
    clock,
    signal,
    store: workflowStore(manager),
    isReady: () => manager.synced,
    identify: (peer: string, certificate: PeerCertificate | undefined) =>
      identify({ peer, names: certificateNames(certificate) }, { policy, hardware, log }),
  };
  for (const { definition, handlers } of gatewayServices(parts)) server.addService(definition, handlers);
  const at = listen.includes(":") ? `[${listen}]:${grpcPort}` : `${listen}:${grpcPort}`;
  const credentials = serverCredentials(ServerCredentials, services, at);
  await new Promise<void>((resolve, reject) => {
    server.bindAsync(at, credentials, (error) => {
      if (error === null) resolve();
      else reject(listenFailed("the agents' API", at, error));
    });
  });
  listening();
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  server.forceShutdown();
};
