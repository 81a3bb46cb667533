import { createServer } from "node:http";
import { Server, ServerCredentials, type ServerUnaryCall, type sendUnaryData } from "@grpc/grpc-js";
import { workflowService } from "../src/agent/messages.ts";

type Message = Readonly<Record<string, unknown>>;

export interface ServedAction {
  readonly name: string;
  readonly image: string;
  readonly environment?: readonly string[];
}

/** What a rack's machines are served by, as simple as can be: one script, one list of actions, one tree of metadata. */
export interface InstallationServices {
  /** Reports of agents in order. */
  readonly reports: readonly Message[];
  /** Which address asked for which path. */
  readonly requests: readonly { readonly from: string; readonly path: string }[];
  stop(): Promise<void>;
}

export interface ServedFiles {
  readonly actions: readonly ServedAction[];
  /** By path. */
  readonly files: Readonly<Record<string, string>>;
}

/** Listens where the machines of a rack expect the services. */
export const installationServices = async (
  address: string,
  { actions, files }: ServedFiles,
): Promise<InstallationServices> => {
  const reports: Message[] = [];
  const requests: { readonly from: string; readonly path: string }[] = [];
  const web = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? "/");
    requests.push({ from: request.socket.remoteAddress ?? "", path });
    const text = files[path];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((resolve) => web.listen(7080, address, resolve));
  const grpc = new Server();
  grpc.addService(workflowService, {
    GetAction: (call: ServerUnaryCall<Message, Message>, answer: sendUnaryData<Message>) => {
      requests.push({ from: call.getPeer(), path: `GetAction ${String(call.request["agentId"])}` });
      const done = reports.filter(({ actionState }) => actionState === "SUCCESS").length;
      const failed = reports.some(({ actionState }) => actionState === "FAILED");
      const next = actions[done];
      if (next === undefined || failed) answer({ code: 5, details: "no workflow" });
      else answer(null, { workflowId: "default/w", taskId: "t", actionId: `a${done}`, ...next });
    },
    ReportActionStatus: (call: ServerUnaryCall<Message, Message>, answer: sendUnaryData<Message>) => {
      reports.push(call.request);
      answer(null, {});
    },
  });
  await new Promise<void>((resolve, reject) => {
    grpc.bindAsync(`${address}:42113`, ServerCredentials.createInsecure(), (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  return {
    reports,
    requests,
    stop: async () => {
      grpc.forceShutdown();
      web.closeAllConnections();
      await new Promise((resolve) => web.close(resolve));
    },
  };
};
