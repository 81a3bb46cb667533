import { boolean, notFound, Refusal, reply, type Reply, type Route, text } from "@capstan/simulation";
import { refusal } from "../arm/refusals.ts";
import { groupPath, route, subscriptionPath } from "../route.ts";
import type { StoredOperation } from "../state.ts";
import type { World } from "../world.ts";
import { operationHeaders, pause } from "./answers.ts";

const query = { t: text(), c: text(), s: text(), h: text(), monitor: boolean } as const;

interface Asked {
  readonly params: { readonly id: string };
  readonly query: { readonly t?: string; readonly c?: string; readonly s?: string; readonly h?: string };
}

/** Who changed the address, or asks for an operation that no one knows, learns nothing. */
const known = ({ params: { id }, query: { t, c, s, h } }: Asked, { operations }: World): StoredOperation => {
  const operation = operations.find(id);
  if (operation === undefined || operation.lost) throw notFound(`The operation '${id}' was not found.`);
  if (s !== operation.signature || t !== String(operation.started) || c === undefined || h === undefined) {
    throw new Refusal(400, "The address of the operation is not as it was given.", {
      code: "InvalidOperationAddress",
      violation: true,
    });
  }
  return operation;
};

const statusView = ({ id, status, started, ended, error }: StoredOperation) => ({
  name: id,
  status,
  startTime: new Date(started).toISOString(),
  ...(ended === undefined ? {} : { endTime: new Date(ended).toISOString() }),
  ...(error === undefined || status !== "Failed" ? {} : { error }),
});

const status = (operation: StoredOperation, world: World, whileInProgress = 200): Reply => {
  const running = operation.status === "InProgress";
  return reply(running ? whileInProgress : 200, statusView(operation), running ? pause(operation, world) : {});
};

/** 202 until it is over; then what the request would have been answered with. */
const result = (operation: StoredOperation, world: World): Reply => {
  if (operation.status === "InProgress") {
    return reply(202, undefined, operationHeaders(operation, { location: true }, world));
  }
  if (operation.status === "Failed") {
    const { code, message } = operation.error ?? { code: "InternalServerError", message: "An error occurred." };
    throw refusal(409, code, message);
  }
  const body = operation.result ?? (operation.verb === "PUT" ? world.viewOf(operation.target) : undefined);
  if (operation.form === "group") return reply(200);
  return body === undefined ? reply(operation.verb === "DELETE" ? 204 : 200) : reply(200, body);
};

const locationPath = `${subscriptionPath}/providers/:namespace/locations/:location`;

/** Where clients ask how the work that they began is getting on. */
export const operationRoutes: readonly Route<World>[] = [
  route({
    method: "GET",
    path: `${locationPath}/operations/:id`,
    query,
    handle: (request, world) =>
      request.query.monitor === true ? result(known(request, world), world) : status(known(request, world), world),
  }),
  route({
    method: "GET",
    path: `${locationPath}/DiskOperations/:id`,
    query,
    handle: (request, world) =>
      request.query.monitor === true ? result(known(request, world), world) : status(known(request, world), world),
  }),
  route({
    method: "GET",
    path: `${locationPath}/operationResults/:id`,
    query,
    handle: (request, world) => result(known(request, world), world),
  }),
  route({
    method: "GET",
    path: `${groupPath}/providers/Microsoft.Network/privateDnsOperationStatuses/:id`,
    query,
    handle: (request, world) => status(known(request, world), world, 202),
  }),
  route({
    method: "GET",
    path: `${groupPath}/providers/Microsoft.Network/privateDnsOperationResults/:id`,
    query,
    handle: (request, world) => result(known(request, world), world),
  }),
  route({
    method: "GET",
    path: `${subscriptionPath}/operationresults/:id`,
    query,
    handle: (request, world) => result(known(request, world), world),
  }),
];
