import { type Clock, isCapstanError, type Logger } from "@capstan/contract";
import { apiService } from "../api/api-service.ts";
import { reply } from "../api/reply.ts";
import { type Route, routing } from "../api/route.ts";
import { type Fields, object, text } from "../api/shape.ts";
import type { Fault } from "../faults/fault.ts";
import { invalid, notFound, Refusal } from "../http/refusal.ts";
import type { Service } from "../http/service.ts";
import type { GuestPlan, GuestPlans } from "../machines/guest-plans.ts";
import type { MachineConsole, MachineSummary } from "../machines/machine-power.ts";
import type { ServedService } from "../server/exchange.ts";
import type { Timers } from "../state/timers.ts";
import { consoleJson } from "./console-json.ts";
import { faultJson, faultShape, faultsOf, placedScript } from "./fault-json.ts";
import { requestJson, requestsSince } from "./request-json.ts";

/** Vendor's part of the control interface. */
export interface ControlDefinition {
  /** The field of a guest plan that names the machine. Default `machine`. */
  readonly machineField?: string;
  /** Fields of guest plans that the vendor's guests understand besides the common ones. */
  readonly guestFields?: Fields;
  /** Returns whether a fault belongs to a group. Default: it was planned with the name of the group. */
  readonly inGroup?: (fault: Fault, group: string) => boolean;
}

/** Parts of a simulator that the control interface works on. */
export interface Controlled {
  readonly clock: Clock;
  readonly log: Logger;
  readonly definition: ControlDefinition;
  /** By name; the first is meant where none is named. */
  readonly services: ReadonlyMap<string, ServedService>;
  readonly plans: GuestPlans;
  readonly timers: Pick<Timers, "speed">;
  /** Returns the lines of consoles from the given number on, and the number of the next line. */
  readonly consoles: (since: number) => { readonly next: number; readonly machines: readonly MachineConsole[] };
  readonly machines: () => readonly MachineSummary[];
  /** The state, as it is kept in its file. */
  readonly snapshot: () => object;
}

const route = routing<Controlled>();
const service = text();
const group = text();
const rate = { type: "number", min: 0.001 } as const;
const since = text({ pattern: /^(?:\d+|latest)$/ });

const firstOf = (wanted: string | undefined, next: number): number =>
  wanted === "latest" ? next : Number(wanted ?? 0);

const requestRoutes: readonly Route<Controlled>[] = [
  route({
    method: "GET",
    path: "_simulator/requests",
    query: { service, since },
    handle: ({ query }, controlled) => {
      const { requests } = serviceOf(query.service, controlled);
      const { next } = requests;
      return { next, items: requestsSince(requests, firstOf(query.since, next)).map(requestJson) };
    },
  }),
];

const faultRoutes: readonly Route<Controlled>[] = [
  route({
    method: "GET",
    path: "_simulator/faults",
    query: { service },
    handle: ({ query }, controlled) => ({
      items: serviceOf(query.service, controlled).faults.pending().map(faultJson),
    }),
  }),
  route({
    method: "POST",
    path: "_simulator/faults",
    query: { service },
    body: faultShape,
    handle: ({ body, query }, controlled) => {
      const placed = body.script === undefined ? undefined : placedScript(body.script);
      const { faults } = serviceOf(placed?.service ?? query.service, controlled);
      const added = refusing(() => faultsOf({ ...body, ...(placed && { script: placed.script }) }));
      for (const fault of added) refusing(() => faults.add(fault));
      return reply(201, { items: added.map(faultJson) });
    },
  }),
  route({
    method: "DELETE",
    path: "_simulator/faults",
    query: { service, group },
    handle: ({ query }, controlled) => {
      const { inGroup = (fault: Fault, name: string) => fault.group === name } = controlled.definition;
      const name = query.group;
      serviceOf(query.service, controlled).faults.clear((fault) => name === undefined || inGroup(fault, name));
      return reply(204);
    },
  }),
];

const throttleRoutes: readonly Route<Controlled>[] = [
  route({
    method: "GET",
    path: "_simulator/throttle",
    query: { service },
    handle: ({ query }, controlled) => serviceOf(query.service, controlled).throttle.rates,
  }),
  route({
    method: "PUT",
    path: "_simulator/throttle",
    query: { service },
    body: object({ readsPerSecond: rate, writesPerSecond: rate, deletesPerSecond: rate }),
    handle: ({ body, query }, controlled) => {
      const { throttle } = serviceOf(query.service, controlled);
      throttle.set(body);
      return throttle.rates;
    },
  }),
  route({
    method: "DELETE",
    path: "_simulator/throttle",
    query: { service },
    handle: ({ query }, controlled) => {
      serviceOf(query.service, controlled).throttle.set({});
      return reply(204);
    },
  }),
];

const speedRoutes: readonly Route<Controlled>[] = [
  route({ method: "GET", path: "_simulator/speed", handle: (_request, { timers }) => ({ factor: timers.speed }) }),
  route({
    method: "PUT",
    path: "_simulator/speed",
    body: object({ factor: rate }, ["factor"]),
    handle: ({ body: { factor } }, { timers }) => {
      timers.speed = factor;
      return { factor };
    },
  }),
  route({
    method: "DELETE",
    path: "_simulator/speed",
    handle: (_request, { timers }) => {
      timers.speed = 1;
      return reply(204);
    },
  }),
];

const snapshotRoute: Route<Controlled> = route({
  method: "GET",
  path: "_simulator/snapshot",
  handle: (_request, { snapshot }) => snapshot(),
});

/** `machine` as the vendor calls it. */
const consoleRoute = (machine: string): Route<Controlled> =>
  route({
    method: "GET",
    path: "_simulator/console",
    query: { since, group, id: text(), providerID: text(), [machine]: text() },
    handle: ({ query }, { consoles }) => {
      const { next, machines } = consoles(
        query.since === "latest" ? Number.POSITIVE_INFINITY : Number(query.since ?? 0),
      );
      const { group: inGroup, id, providerID, [machine]: name } = query as Readonly<Record<string, string | undefined>>;
      const shown = machines.filter(
        (each) =>
          (name ?? each.name) === each.name &&
          (inGroup ?? each.group) === each.group &&
          (id ?? each.id) === each.id &&
          (providerID ?? each.providerID) === each.providerID,
      );
      return { next, items: consoleJson(shown) };
    },
  });

/** `machine` as the vendor calls it. */
const guestRoutes = (machine: string, guestFields: Fields): readonly Route<Controlled>[] => [
  route({
    method: "GET",
    path: "_simulator/guests",
    handle: (_request, { plans, machines }) => ({
      plans: plans.all.map(({ machine: name, ...plan }) => ({
        ...plan,
        ...(name === undefined ? {} : { [machine]: name }),
      })),
      machines: machines(),
    }),
  }),
  route({
    method: "POST",
    path: "_simulator/guests",
    body: object({
      group,
      [machine]: text(),
      boot: text({ enum: ["never"] }),
      bootstrap: text({ enum: ["hang"] }),
      bootstrapSeconds: { type: "integer", min: 0 },
      console: text(),
      ...guestFields,
    }),
    handle: ({ body }, { plans }) => {
      const { [machine]: name, ...plan } = body as Readonly<Record<string, unknown>>;
      plans.add({ ...plan, ...(name === undefined ? {} : { machine: name }) } as GuestPlan);
      return reply(201, body);
    },
  }),
  route({
    method: "DELETE",
    path: "_simulator/guests",
    query: { group },
    handle: ({ query }, { plans }) => {
      plans.clear(query.group);
      return reply(204);
    },
  }),
];

/** Lets whoever tests look into a running simulator and plan what goes wrong: `/_simulator/` on its first server, without credentials. */
export const controlService = (controlled: Controlled): Service => {
  const { machineField = "machine", guestFields = {} } = controlled.definition;
  const routes = [
    ...requestRoutes,
    ...faultRoutes,
    ...throttleRoutes,
    ...speedRoutes,
    snapshotRoute,
    consoleRoute(machineField),
    ...guestRoutes(machineField, guestFields),
  ];
  const paths = [...new Set(routes.map(({ path }) => `/${path}`))].join(", ");
  return apiService<Controlled>({
    routes,
    world: controlled,
    // What is planned is not part of the state.
    cloud: { clock: controlled.clock, log: controlled.log, save: () => Promise.resolve() },
    owns: ({ path }) => path === "/_simulator" || path.startsWith("/_simulator/"),
    admit: ({ client }) => {
      if (!isLoopback(client)) throw new Refusal(403, "The control interface is for this computer only");
      return "";
    },
    wordRefusal: ({ code, message, field, status }) => {
      const said = code === "UnknownPath" ? `${message}; there are ${paths}` : message;
      return reply(statusOf[code ?? ""] ?? status, { error: { message: said, ...(field !== undefined && { field }) } });
    },
  });
};

const statusOf: Readonly<Record<string, number>> = { UnknownPath: 404, UnknownMethod: 405 };

const isLoopback = (address: string): boolean => /^(?:::ffff:)?127\.|^::1$/.test(address);

const serviceOf = (name: string | undefined, { services }: Controlled): ServedService => {
  const served = name === undefined ? services.values().next().value : services.get(name);
  if (served !== undefined) return served;
  throw notFound(`There is no service ${name ?? ""}; there are ${[...services.keys()].join(", ")}`);
};

/** Calls `act`, and turns its errors about the request into refusals that the caller sees. */
const refusing = <T>(act: () => T): T => {
  try {
    return act();
  } catch (error) {
    throw isCapstanError(error) ? invalid(error.message) : error;
  }
};
