import { createHmac, timingSafeEqual } from "node:crypto";
import {
  apiService,
  boolean,
  object,
  Refusal,
  routing,
  type Service,
  type ServiceRequest,
  text,
  type ValueOf,
} from "@capstan/simulation";
import type { BootDevice } from "../state.ts";
import type { World } from "../world.ts";
import { isOn, orderPower, type PowerOrder } from "./power-control.ts";

/** The path of the webhook on the rack's server. */
export const rpcPath = "/bmc";

const params = object({
  state: text({ enum: ["on", "off", "soft", "cycle", "reset"] }),
  device: text({ enum: ["pxe", "disk", "bios", "cdrom", "safe"] }),
  persistent: boolean,
  efiBoot: boolean,
  mediaUrl: text(),
  kind: text(),
});

const call = object(
  {
    id: { type: "integer" },
    host: text({ min: 1 }),
    method: text({ enum: ["ping", "getPowerState", "setPowerState", "setBootDevice", "setVirtualMedia"] }),
    params: { ...params, nullable: true },
  },
  ["id", "host", "method"],
);

const route = routing<World>();

const routes = [
  route({
    method: "POST",
    path: rpcPath,
    headers: ["X-Rufio-Timestamp", "X-Rufio-Signature-256", "X-Rufio-Signature-512"],
    body: call,
    handle: ({ body }, world) => ({ id: body.id, host: body.host, ...perform(body, world) }),
  }),
];

interface Outcome {
  readonly result?: string;
  readonly error?: { readonly code: number; readonly message: string };
}

const perform = ({ host, method, params: given }: ValueOf<typeof call>, world: World): Outcome => {
  const machine = world.rack.state.machines.find(({ bmc }) => bmc?.kind === "rpc" && bmc.address === host);
  if (machine === undefined) return { error: { code: 404, message: `there is no machine ${host}` } };
  const bmc = { ...world, machine };
  const { state, device, persistent, mediaUrl } = given ?? {};
  if (method === "getPowerState") return { result: isOn(bmc) ? "on" : "off" };
  if (method === "setPowerState") orderPower(state as PowerOrder, bmc);
  if (method === "setBootDevice") {
    if (persistent === true) machine.bootDevice = device as BootDevice;
    else machine.oneTimeBootDevice = device as BootDevice;
  }
  if (method === "setVirtualMedia") {
    if (mediaUrl === undefined || mediaUrl === "") delete machine.virtualMedia;
    else machine.virtualMedia = mediaUrl;
  }
  return { result: "ok" };
};

/** Throws 401 unless the request is signed with the secret of the machine that it names. */
const checkSignature = ({ body, headers }: ServiceRequest, { rack }: World): void => {
  const { host } = JSON.parse(Buffer.from(body).toString() || "{}") as { readonly host?: string };
  const secret = rack.state.machines.find(({ bmc }) => bmc?.address === host)?.bmc?.secret;
  const algorithm = headers["x-rufio-signature-512"] === undefined ? "sha256" : "sha512";
  const given = headers[algorithm === "sha256" ? "x-rufio-signature-256" : "x-rufio-signature-512"] ?? "";
  const hmac = createHmac(algorithm, secret ?? "").update(body);
  const expected = `${algorithm}=${hmac.update(headers["x-rufio-timestamp"] ?? "").digest("hex")}`;
  const isValid = given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
  if (secret === undefined || !isValid) throw new Refusal(401, "the signature is not valid");
};

/** The rack's webhook for machines whose board management has no interface of its own. */
export const rpcService = (world: World): Service =>
  apiService<World>({
    cloud: world.rack,
    world,
    routes,
    owns: ({ path }) => path === rpcPath,
    admit: (request) => {
      checkSignature(request, world);
      return "";
    },
    wordRefusal: ({ message, field, status }) => ({
      error: { code: status, message: field === undefined ? message : `${field}: ${message}` },
    }),
  });
