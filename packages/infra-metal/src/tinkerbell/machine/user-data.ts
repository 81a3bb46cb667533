import { metadataService } from "@capstan/kit/delivery";
import type { CreateContext } from "@capstan/kit/machine";
import {
  type Hardware,
  userDataSecretAnnotation,
  userDataSecretKeys,
  userDataSecretOf,
  userDataSecretType,
} from "@capstan/tinkerbell/api";
import { keyOf, keyText } from "@capstan/kube-values";
import type { TinkerbellCluster } from "../api/tinkerbell-cluster.v1beta1.ts";
import { TinkerbellReason } from "../api/tinkerbell-conditions.ts";
import type { TinkerbellMachine } from "../api/tinkerbell-machine.v1beta1.ts";
import type { MetalProviderOptions } from "../../options.ts";
import { hardwareName, providerIDOf } from "./hardware-facts.ts";
import { type MachineContext, type MachineUses, note } from "./machine-uses.ts";

/** The object that holds bootstrap data until the machine has used it. */
export type UserDataPlace = NonNullable<MetalProviderOptions["userDataIn"]>;

/** A Secret holds 1 MiB, and an object, with base64, 1.5 MiB. */
const limitBytes = 1_000_000;

/** Placeholder of the provider id, which is unknown before the Hardware is chosen. */
const providerIDPlaceholder = "PROVIDER_ID";

const secretName = ({ metadata }: TinkerbellMachine): string => `${metadata.name}-user-data`;

const secretRef = (machine: TinkerbellMachine): string => keyText({ ...keyOf(machine), name: secretName(machine) });

/** True if the Hardware itself holds the machine's data: by the option, or because another manager wrote it there. */
const isInHardware = ({ spec }: TinkerbellMachine, hardware: Hardware, place: UserDataPlace): boolean =>
  userDataSecretOf(hardware) === undefined &&
  hardware.spec?.userData !== undefined &&
  (place === "hardware" || spec?.providerID !== undefined);

/** Names the object with the machine's bootstrap data, which may be empty; `undefined` if there is none. */
export const userDataAt = async (
  { object, uses }: MachineContext,
  hardware: Hardware,
  place: UserDataPlace,
): Promise<string | undefined> => {
  if (isInHardware(object, hardware, place)) return `spec.userData of Hardware ${hardwareName(hardware)}`;
  const named = hardware.metadata.annotations?.[userDataSecretAnnotation];
  if (named !== secretRef(object)) return undefined;
  return (await uses.userData.read(secretName(object))) === undefined ? undefined : `Secret ${named}`;
};

/** True if bootstrap data remains anywhere, also where the machine does not find it. */
export const isUserDataLeft = async (
  { object, uses }: MachineContext,
  hardware: Hardware | undefined,
  place: UserDataPlace,
): Promise<boolean> => {
  if (hardware !== undefined) {
    if (isInHardware(object, hardware, place) || typeof userDataSecretOf(hardware) === "object") return true;
  }
  return (await uses.userData.read(secretName(object))) !== undefined;
};

const gzipMagic = [0x1f, 0x8b] as const;

const isPacked = (bytes: Uint8Array): boolean => gzipMagic.every((byte, index) => bytes[index] === byte);

/** The data as its machine gets it. */
const filledIn = (bytes: Uint8Array, hardware: Hardware): Uint8Array =>
  isPacked(bytes)
    ? bytes
    : Buffer.from(Buffer.from(bytes).toString("utf8").replaceAll(providerIDPlaceholder, providerIDOf(hardware)));

/** Gives the bootstrap data to the Hardware. Idempotent. */
export const handOver = async (
  context: CreateContext<TinkerbellMachine, undefined, TinkerbellCluster, MachineUses>,
  hardware: Hardware,
  place: UserDataPlace,
): Promise<void> => {
  const { bootstrap, object, uses } = context;
  const data = filledIn((await bootstrap.deliver([metadataService({ limitBytes })])).bytes, hardware);
  if (place === "hardware") {
    const userData = Buffer.from(data).toString(isPacked(data) ? "base64" : "utf8");
    await uses.hardware.patch({ spec: { userData } });
  } else {
    const contents = { [userDataSecretKeys.userData]: data, [userDataSecretKeys.hardware]: hardwareName(hardware) };
    await uses.userData.write(secretName(object), contents, { type: userDataSecretType });
    await uses.hardware.patch({ metadata: { annotations: { [userDataSecretAnnotation]: secretRef(object) } } });
  }
  note(context, TinkerbellReason.delivered, `Hardware ${hardwareName(hardware)} has the bootstrap data`);
};

/** Deletes the bootstrap data. The annotation stays, empty, so that no other data is served in its place. */
export const wipeUserData = async (context: MachineContext, place: UserDataPlace): Promise<void> => {
  const { object, uses } = context;
  const hardware = uses.hardware.mine();
  const name = secretName(object);
  if ((await uses.userData.read(name)) !== undefined) await uses.userData.delete(name);
  if (hardware === undefined) return;
  if (isInHardware(object, hardware, place)) await uses.hardware.patch({ spec: { userData: null } });
  else if (userDataSecretOf(hardware) !== undefined) {
    await uses.hardware.patch({ metadata: { annotations: { [userDataSecretAnnotation]: "" } } });
  }
  note(context, TinkerbellReason.wiped, `took the bootstrap data from Hardware ${hardwareName(hardware)}`);
};

/** Changes to Hardware on its release: bootstrap data of the machine is removed, data of users stays. */
export const withoutUserData = ({ object }: MachineContext, hardware: Hardware, place: UserDataPlace) => ({
  annotations: { [userDataSecretAnnotation]: null },
  spec: isInHardware(object, hardware, place) ? { userData: null } : {},
});
