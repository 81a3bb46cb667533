import type { Image, InstanceType, Region } from "@capstan/linode-client";
import { invalid, notFound, Refusal, type RouteRequest } from "@capstan/simulation";
import { busy } from "../api/refusals.ts";
import { idOf } from "../api/route.ts";
import { images, kernels, regions, types } from "../seed.ts";
import type { SimulatorState, StoredBackup, StoredInstance } from "../state.ts";
import type { World } from "../world.ts";
import { checkQuota } from "./account-rules.ts";
import { checkFirewall } from "./firewalls.ts";
import { checkRoom } from "./placement-groups.ts";
import { checkReserved } from "./reserved-addresses.ts";
import { checkDeployment } from "./stack-scripts.ts";

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

/** Throws while it does something else. */
export const requireFree = ({ status, activity, disks }: StoredInstance): void => {
  if (activity !== undefined || (status !== "offline" && status !== "running")) throw busy();
  if (disks.some((disk) => disk.status !== "ready")) throw busy();
};

interface Wanted {
  readonly region: string;
  readonly type: string;
  readonly image?: string;
  readonly label?: string;
  readonly root_pass?: string;
  readonly authorized_keys?: readonly string[];
  readonly authorized_users?: readonly string[];
  readonly metadata?: { readonly user_data?: string | null };
  readonly private_ip?: boolean;
  readonly interface_generation?: string;
  readonly boot_size?: number;
  readonly swap_size?: number;
  readonly firewall_id?: number;
  readonly placement_group?: { readonly id: number };
  readonly backup_id?: number;
  readonly interfaces?: readonly unknown[];
  readonly ipv4?: readonly string[];
  readonly kernel?: string;
  readonly stackscript_id?: number;
  readonly stackscript_data?: Readonly<Record<string, string>>;
}

/** An image that anybody may use, or one of the account. */
export const imageOf = (id: string, state: SimulatorState, field = "image"): Image => {
  const found = [...images, ...state.images].find((image) => image.id === id);
  if (found?.status !== "available") throw invalid("image is not valid", field);
  return found;
};

/** Refusals that depend on more than the form of the request. */
export const checkNewInstance = (wanted: Wanted, world: World): void => {
  checkQuota(world, "instances", world.state.instances.length);
  const region = regions.find(({ id }) => id === wanted.region);
  if (region === undefined) throw invalid("region is not valid", "region");
  const type = typeOf(wanted.type);
  if (wanted.image !== undefined && wanted.backup_id !== undefined) {
    throw invalid("image and backup_id exclude each other", "backup_id");
  }
  checkDeployed(wanted, region, world);
  for (const [index, address] of (wanted.ipv4 ?? []).entries()) {
    if (wanted.ipv4?.indexOf(address) !== index) throw invalid("The address is there twice", `ipv4.${index}`);
    checkReserved(address, region.id, world.state, `ipv4.${index}`);
  }
  checkKernel(wanted.kernel);
  checkProfile(wanted);
  if (wanted.interface_generation === "linode") checkNewGeneration(wanted, region);
  if ((wanted.boot_size ?? 0) > type.disk) throw invalid("boot_size is larger than the plan's disk", "boot_size");
  checkFirewall(wanted.firewall_id, world, "firewall_id");
  if (wanted.placement_group !== undefined) {
    checkRoom(wanted.placement_group.id, region.id, world, "placement_group.id");
  }
  if (world.state.instances.some(({ label }) => label === wanted.label)) {
    throw invalid("Label must be unique among your linodes", "label");
  }
};

/** Rejects settings of the first disk or the first profile when the request creates neither. */
const checkProfile = (wanted: Wanted): void => {
  if (wanted.image !== undefined || wanted.backup_id !== undefined) return;
  for (const field of ["boot_size", "swap_size", "kernel"] as const) {
    if (wanted[field] !== undefined) throw invalid(`${field} needs an image or a backup`, field);
  }
  if (wanted.interface_generation !== "linode" && (wanted.interfaces ?? []).length > 0) {
    throw invalid("Interfaces of a config need an image or a backup", "interfaces");
  }
};

export const checkKernel = (kernel: string | undefined): void => {
  if (kernel !== undefined && !kernels.some(({ id }) => id === kernel)) throw invalid("kernel is not valid", "kernel");
};

/** Validates an image and the settings for its first boot. */
export const checkDeployed = (
  wanted: Pick<
    Wanted,
    | "image"
    | "backup_id"
    | "metadata"
    | "stackscript_id"
    | "stackscript_data"
    | "root_pass"
    | "authorized_keys"
    | "authorized_users"
  >,
  region: Region,
  { state }: World,
): void => {
  const image = wanted.image === undefined ? undefined : imageOf(wanted.image, state);
  checkAccess(wanted);
  for (const [index, name] of (wanted.authorized_users ?? []).entries()) {
    if (!state.account.users.some(({ username }) => username === name)) {
      throw invalid(`User ${name} was not found`, `authorized_users.${index}`);
    }
  }
  const restored = image === undefined && wanted.backup_id !== undefined;
  checkMetadata(wanted.metadata?.user_data ?? "", restored ? "backup" : image, region);
  if (wanted.stackscript_id !== undefined) {
    if (image === undefined) throw invalid("A StackScript needs an image", "stackscript_id");
    const data = wanted.stackscript_data;
    checkDeployment({ id: wanted.stackscript_id, image: image.id, ...(data === undefined ? {} : { data }) }, state);
  }
};

/** User data needs a region and an image that hand it on; what is in a backup no one knows. */
export const checkMetadata = (userData: string, image: Image | "backup" | undefined, region: Region): void => {
  if (userData === "") return;
  checkUserData(userData);
  if (!region.capabilities.includes("Metadata")) throw invalid("Metadata is not supported in this region", "metadata");
  if (image !== "backup" && image?.capabilities.includes("cloud-init") !== true) {
    throw invalid("This image does not support cloud-init", "metadata.user_data");
  }
};

const checkNewGeneration = (wanted: Wanted, region: Region): void => {
  if (!region.capabilities.includes("Linode Interfaces")) {
    throw invalid("Linode interfaces are not available in this region", "interface_generation");
  }
  if (wanted.private_ip === true) throw invalid("private_ip is not allowed with linode interfaces", "private_ip");
  if (wanted.firewall_id !== undefined) {
    throw invalid("With linode interfaces a firewall is assigned to an interface", "firewall_id");
  }
};

const checkAccess = ({
  image,
  root_pass: password,
  authorized_keys: keys,
  authorized_users: users,
}: Pick<Wanted, "image" | "root_pass" | "authorized_keys" | "authorized_users">): void => {
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

/** A backup of any instance. */
export const findBackup = (id: number, { state }: World, field: string): StoredBackup => {
  const found = state.instances.flatMap(({ backups }) => backups).find((backup) => backup.id === id);
  if (found?.status !== "successful") throw invalid("A backup by that ID was not found", field);
  return found;
};
