import type { InstanceType } from "@capstan/linode-client";
import { invalid, notFound, Refusal, type RouteRequest } from "@capstan/simulation";
import { busy } from "../api/refusals.ts";
import { idOf } from "../api/route.ts";
import { images, regions, types } from "../seed.ts";
import type { StoredInstance } from "../state.ts";
import type { World } from "../world.ts";

/** Sizes of user data the documentation gives: bytes before, characters after base64. */
export const userDataLimits = { rawBytes: 16_384, base64Characters: 65_535 } as const;

/** MB. */
export const swapSize = 512;

export const findInstance = (request: Pick<RouteRequest, "params">, world: World): StoredInstance => {
  const id = idOf(request);
  const found = world.state.instances.find((instance) => instance.id === id);
  if (found === undefined) throw notFound();
  return found;
};

/** Throws what the API answers to `boot` in every state but offline. */
export const bootable = ({ status, label }: StoredInstance): void => {
  if (status === "running" || status === "booting") throw new Refusal(400, `Linode ${label} already booted.`);
  if (status !== "offline") throw busy();
};

export const typeOf = (id: string): InstanceType => {
  const found = types.find((type) => type.id === id);
  if (found === undefined) throw invalid("A valid plan type by that ID was not found", "type");
  return found;
};

interface Wanted {
  readonly region: string;
  readonly type: string;
  readonly image?: string;
  readonly label?: string;
  readonly root_pass?: string;
  readonly authorized_keys?: readonly string[];
  readonly authorized_users?: readonly string[];
  readonly metadata?: { readonly user_data?: string };
  readonly private_ip?: boolean;
  readonly interface_generation?: string;
  readonly boot_size?: number;
  readonly firewall_id?: number;
  readonly placement_group?: { readonly id: number };
}

/** Refusals that depend on more than the form of the request. */
export const checkNewInstance = (wanted: Wanted, world: World): void => {
  const region = regions.find(({ id }) => id === wanted.region);
  if (region === undefined) throw invalid("region is not valid", "region");
  const type = typeOf(wanted.type);
  const image = images.find(({ id }) => id === wanted.image);
  if (wanted.image !== undefined && image === undefined) throw invalid("image is not valid", "image");
  checkAccess(wanted);
  const userData = wanted.metadata?.user_data ?? "";
  if (userData !== "") {
    checkUserData(userData);
    if (!region.capabilities.includes("Metadata")) {
      throw invalid("Metadata is not supported in this region", "metadata");
    }
    if (image?.capabilities.includes("cloud-init") !== true) {
      throw invalid("This image does not support cloud-init", "metadata.user_data");
    }
  }
  if (wanted.private_ip === true && wanted.interface_generation === "linode") {
    throw invalid("private_ip is not allowed with linode interfaces", "private_ip");
  }
  if ((wanted.boot_size ?? 0) > type.disk) throw invalid("boot_size is larger than the plan's disk", "boot_size");
  if (wanted.firewall_id !== undefined && !world.state.firewalls.some(({ id }) => id === wanted.firewall_id)) {
    throw invalid("A Firewall by that ID was not found", "firewall_id");
  }
  if (wanted.placement_group !== undefined) {
    throw invalid("A Placement Group by that ID was not found", "placement_group.id");
  }
  if (world.state.instances.some(({ label }) => label === wanted.label)) {
    throw invalid("Label must be unique among your linodes", "label");
  }
};

const checkAccess = ({ image, root_pass: password, authorized_keys: keys, authorized_users: users }: Wanted): void => {
  if (image === undefined || password !== undefined) return;
  if ((keys ?? []).length > 0 || (users ?? []).length > 0) return;
  throw invalid("One of root_pass, authorized_keys or authorized_users is required", "root_pass");
};

const checkUserData = (userData: string): void => {
  const field = "metadata.user_data";
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(userData)) {
    throw invalid("user_data must be base64 encoded", field);
  }
  if (userData.length > userDataLimits.base64Characters) {
    throw invalid(`Must be at most ${userDataLimits.base64Characters} characters`, field);
  }
  if (Buffer.from(userData, "base64").length > userDataLimits.rawBytes) {
    throw invalid(`Unencoded user_data must not exceed ${userDataLimits.rawBytes} bytes`, field);
  }
};
