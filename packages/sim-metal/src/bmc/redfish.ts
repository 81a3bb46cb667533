import { own } from "@capstan/schema";
import {
  apiService,
  boolean,
  invalid,
  notFound,
  object,
  Refusal,
  reply,
  routing,
  type Service,
  text,
} from "@capstan/simulation";
import type { BootDevice } from "../state.ts";
import type { BmcWorld } from "../world.ts";
import { isOn, orderPower, type PowerOrder } from "./power-control.ts";

/** The board management of one machine by Redfish: its sessions live as long as the process. */
interface RedfishWorld extends BmcWorld {
  readonly sessions: Map<string, string>;
}

const targets = { Pxe: "pxe", Hdd: "disk", Cd: "cdrom", BiosSetup: "bios" } as const;

/** The power as Redfish says it. */
const powerSaid = (world: BmcWorld): string | null => {
  const { powerSaid: said } = world.machine.bmc ?? {};
  if (said !== undefined) return said;
  return isOn(world) ? "On" : "Off";
};

const orders: Readonly<Record<string, PowerOrder>> = {
  On: "on",
  ForceOff: "off",
  GracefulShutdown: "soft",
  PowerCycle: "cycle",
  ForceRestart: "reset",
  GracefulRestart: "reset",
};

const targetOf = (device: BootDevice): string =>
  Object.entries(targets).find(([, name]) => name === device)?.[0] ?? "None";

const system = "/redfish/v1/Systems/1";
const drive = "/redfish/v1/Managers/1/VirtualMedia/CD";

const bootView = ({ machine }: RedfishWorld) => ({
  BootSourceOverrideEnabled:
    machine.oneTimeBootDevice !== undefined ? "Once" : machine.bootDevice === "disk" ? "Disabled" : "Continuous",
  BootSourceOverrideTarget: targetOf(machine.oneTimeBootDevice ?? machine.bootDevice),
  BootSourceOverrideMode: machine.uefi ? "UEFI" : "Legacy",
  "BootSourceOverrideTarget@Redfish.AllowableValues": ["None", ...Object.keys(targets)],
});

const systemView = (world: RedfishWorld) => ({
  "@odata.id": system,
  Id: "1",
  Name: world.machine.name,
  Manufacturer: "Capstan",
  PowerState: powerSaid(world),
  Boot: bootView(world),
  Actions: {
    "#ComputerSystem.Reset": {
      target: `${system}/Actions/ComputerSystem.Reset`,
      "ResetType@Redfish.AllowableValues": Object.keys(orders),
    },
  },
  Links: { ManagedBy: [{ "@odata.id": "/redfish/v1/Managers/1" }] },
});

const route = routing<RedfishWorld>();

const rootRoutes = [
  route({
    method: "GET",
    path: "/redfish/v1",
    isPublic: true,
    handle: () => ({
      "@odata.id": "/redfish/v1/",
      RedfishVersion: "1.15.0",
      Systems: { "@odata.id": "/redfish/v1/Systems" },
      Managers: { "@odata.id": "/redfish/v1/Managers" },
      Links: { Sessions: { "@odata.id": "/redfish/v1/SessionService/Sessions" } },
    }),
  }),
  route({
    method: "POST",
    path: "/redfish/v1/SessionService/Sessions",
    isPublic: true,
    body: object({ UserName: text(), Password: text() }, ["UserName", "Password"]),
    handle: ({ body }, { machine, rack, sessions }) => {
      const { username, password } = machine.bmc!;
      if (body.UserName !== username || body.Password !== password) throw unauthorized();
      const id = String(sessions.size + 1);
      const token = rack.newUuid();
      sessions.set(token, id);
      const location = `/redfish/v1/SessionService/Sessions/${id}`;
      return reply(201, { "@odata.id": location, Id: id }, { "x-auth-token": token, location });
    },
  }),
  route({
    method: "DELETE",
    path: "/redfish/v1/SessionService/Sessions/:id",
    handle: ({ params }, { sessions }) => {
      const token = [...sessions].find(([, id]) => id === params.id)?.[0];
      if (token === undefined) throw notFound(`there is no session ${params.id}`);
      sessions.delete(token);
      return reply(204);
    },
  }),
];

const systemRoutes = [
  route({
    method: "GET",
    path: "/redfish/v1/Systems",
    handle: () => ({ "@odata.id": "/redfish/v1/Systems", Members: [{ "@odata.id": system }] }),
  }),
  route({ method: "GET", path: system, handle: (_, world) => systemView(world) }),
  route({
    method: "PATCH",
    path: system,
    body: object({
      Boot: object({
        BootSourceOverrideTarget: text({ enum: ["None", ...Object.keys(targets)] }),
        BootSourceOverrideEnabled: text({ enum: ["Disabled", "Once", "Continuous"] }),
        BootSourceOverrideMode: text({ enum: ["Legacy", "UEFI"] }),
      }),
    }),
    handle: ({ body: { Boot: boot = {} } }, { machine }) => {
      const { BootSourceOverrideTarget: target = "None", BootSourceOverrideEnabled: enabled = "Once" } = boot;
      const device = targets[target as keyof typeof targets] as BootDevice | undefined;
      delete machine.oneTimeBootDevice;
      if (enabled === "Disabled" || device === undefined) machine.bootDevice = "disk";
      else if (enabled === "Once") machine.oneTimeBootDevice = device;
      else machine.bootDevice = device;
      return reply(204);
    },
  }),
  route({
    method: "POST",
    path: `${system}/Actions/ComputerSystem.Reset`,
    body: object({ ResetType: text({ enum: Object.keys(orders) }) }, ["ResetType"]),
    handle: ({ body }, world) => {
      orderPower(own(orders, body.ResetType)!, world);
      return reply(204);
    },
  }),
];

const managerRoutes = [
  route({
    method: "GET",
    path: "/redfish/v1/Managers",
    handle: () => ({ Members: [{ "@odata.id": "/redfish/v1/Managers/1" }] }),
  }),
  route({
    method: "GET",
    path: "/redfish/v1/Managers/1",
    handle: () => ({ Id: "1", VirtualMedia: { "@odata.id": "/redfish/v1/Managers/1/VirtualMedia" } }),
  }),
  route({
    method: "GET",
    path: "/redfish/v1/Managers/1/VirtualMedia",
    handle: () => ({ Members: [{ "@odata.id": drive }] }),
  }),
  route({
    method: "GET",
    path: drive,
    handle: (_, { machine }) => ({
      Id: "CD",
      MediaTypes: ["CD", "DVD"],
      Inserted: machine.virtualMedia !== undefined,
      Image: machine.virtualMedia ?? null,
      Actions: {
        "#VirtualMedia.InsertMedia": { target: `${drive}/Actions/VirtualMedia.InsertMedia` },
        "#VirtualMedia.EjectMedia": { target: `${drive}/Actions/VirtualMedia.EjectMedia` },
      },
    }),
  }),
  route({
    method: "POST",
    path: `${drive}/Actions/VirtualMedia.InsertMedia`,
    body: object({ Image: text({ min: 1 }), Inserted: boolean, WriteProtected: boolean }, ["Image"]),
    handle: ({ body }, { machine }) => {
      if (!/^https?:\/\//.test(body.Image)) throw invalid("is not a URL of http or https", "Image");
      machine.virtualMedia = body.Image;
      return reply(204);
    },
  }),
  route({
    method: "POST",
    path: `${drive}/Actions/VirtualMedia.EjectMedia`,
    body: object({}),
    handle: (_, { machine }) => {
      delete machine.virtualMedia;
      return reply(204);
    },
  }),
];

const unauthorized = (): Refusal =>
  new Refusal(401, "the credentials are not valid", { code: "Base.1.15.InsufficientPrivilege" });

const basic = (header: string): string => Buffer.from(header.replace(/^Basic /i, ""), "base64").toString();

/** Redfish for one machine, with sessions and basic authentication. */
export const redfishService = (world: BmcWorld): Service => {
  const sessions = new Map<string, string>();
  return apiService<RedfishWorld>({
    cloud: world.rack,
    world: { ...world, sessions },
    routes: [...rootRoutes, ...systemRoutes, ...managerRoutes],
    pathOf: (path) => path.replace(/\/$/, ""),
    admit: ({ route: { isPublic }, headers }) => {
      const { username, password } = world.machine.bmc!;
      if (isPublic === true || sessions.has(headers["x-auth-token"] ?? "")) return username;
      if (basic(headers["authorization"] ?? "") !== `${username}:${password}`) throw unauthorized();
      return username;
    },
    wordRefusal: ({ code = "Base.1.15.GeneralError", message, field }) => ({
      error: { code, message: field === undefined ? message : `${field}: ${message}` },
    }),
    secrets: ["Password"],
  });
};
