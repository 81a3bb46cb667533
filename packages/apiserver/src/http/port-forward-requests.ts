import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { badRequest, StatusError } from "../model/status-error.ts";
import { forwardPorts, portForwardProtocol } from "../streams/forward-ports.ts";
import { type Upgrade, webSocketTransport } from "../streams/web-socket-transport.ts";
import { readItem } from "./item-requests.ts";
import type { ResourceRequest } from "./resource-request.ts";

const spdy = "SPDY/3.1";
const webSocketProtocol = `${spdy}+${portForwardProtocol}`;

/** Requests that `portForward` may want the connection of. */
export const asksForPorts = ({ url = "" }: IncomingMessage): boolean => /\/portforward(?:\?|$)/.test(url);

const listed = (header: string | string[] | undefined): readonly string[] =>
  String(header ?? "")
    .split(",")
    .map((protocol) => protocol.trim())
    .filter((protocol) => protocol !== "");

const refuseProtocols = (given: readonly string[], served: string): StatusError =>
  new StatusError(
    403,
    "Forbidden",
    `unable to upgrade: unable to negotiate protocol: client supports [${given.join(" ")}], server accepts [${served}]`,
  );

const spdyTransport = ({ request, response }: ResourceRequest, { socket, head }: Upgrade): Duplex => {
  const given = listed(request.headers["x-stream-protocol-version"]);
  if (!given.includes(portForwardProtocol)) {
    throw refuseProtocols(given, portForwardProtocol);
  }
  const audit = String(response.getHeader("Audit-Id"));
  socket.write(
    [
      "HTTP/1.1 101 Switching Protocols",
      "Connection: Upgrade",
      `Upgrade: ${spdy}`,
      `X-Stream-Protocol-Version: ${portForwardProtocol}`,
      `Audit-Id: ${audit}`,
      "\r\n",
    ].join("\r\n"),
  );
  socket.unshift(head);
  return socket;
};

/** The streaming server of a container runtime, to which a kubelet passes such requests on, answers in no type that one can ask for. */
const refuseTypes = ({ headers: { accept = "*/*" } }: IncomingMessage): void => {
  if (!listed(accept).some((type) => type.startsWith("*/*"))) {
    throw new StatusError(406, "NotAcceptable", "406: Not Acceptable\n\nAvailable representations: ");
  }
};

const webSocketOf = async ({ request }: ResourceRequest, upgrade: Upgrade): Promise<Duplex | undefined> => {
  const given = listed(request.headers["sec-websocket-protocol"]);
  if (!given.includes(webSocketProtocol)) {
    throw refuseProtocols(given, webSocketProtocol);
  }
  return await webSocketTransport(request, upgrade, webSocketProtocol);
};

/** Turns the connection of a request into one to ports of a Pod; returns when it has ended. */
export const portForward = async (context: ResourceRequest): Promise<undefined> => {
  const { info, request, response, subresource, upgrade } = context;
  const { object: pod } = await readItem(context);
  const { nodeName = "" } = (pod["spec"] ?? {}) as { readonly nodeName?: string };
  if (nodeName === "") {
    throw badRequest(`pod ${info.name} does not have a host assigned`);
  }
  if (upgrade === undefined || subresource?.behaviour.type !== "ports") {
    throw badRequest("Upgrade request required");
  }
  const { connect } = subresource.behaviour;
  refuseTypes(request);
  const protocol = (request.headers.upgrade ?? "").toLowerCase();
  if (protocol !== "websocket" && protocol !== spdy.toLowerCase()) {
    throw badRequest(`unable to upgrade: ${JSON.stringify(protocol)} is not served here, ${spdy} and websocket are`);
  }
  const transport = protocol === "websocket" ? await webSocketOf(context, upgrade) : spdyTransport(context, upgrade);
  if (transport === undefined) {
    return;
  }
  response.statusCode = 101;
  context.audit?.started(101);
  const connection = forwardPorts(transport, (port) => connect(pod, port), `${info.namespace}/${info.name}`);
  const forget = context.onStop(() => connection.close());
  await connection.closed;
  forget();
};
