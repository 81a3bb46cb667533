import { CapstanError } from "@capstan/contract";
import type { Logger } from "@capstan/contract";
import type { BootstrapData, BootstrapDelivery, DeliveredBy, DeliveryRoute, MachineStore } from "@capstan/contract/v1";
import { bootstrapFormats, bootstrapSecretKeys } from "@capstan/contract/wire";
import { slowRetryMs } from "../engine/failures.ts";
import { chooseRoute } from "./choose-route.ts";
import type { DeliveryRecord } from "./delivery-record.ts";
import { machineStore, whereStored } from "./machine-store.ts";
import type { StoredFacts, UploadMemory } from "./machine-store.ts";
import type { StoreAccess } from "./store-access.ts";

export interface DeliveryInput {
  /** Name of the bootstrap Secret; empty when the user skips bootstrapping. */
  readonly secretName: string;
  readonly namespace: string;
  /** Formats that the servers understand. Default: cloud-config only. */
  readonly formats?: readonly string[];
  /** The infrastructure machine's uid: the key of the object. */
  readonly key: string;
  /** The mark of its object, by which what is put into a store is known as its own after a move. */
  readonly owner: string;
  /** The bootstrap Secret's data, out of base64. `undefined` when it does not exist. */
  readonly readBootstrap: () => Promise<Readonly<Record<string, Uint8Array>> | undefined>;
  /** Returns the data to deliver instead, for example with an additional part that makes the machine report. Default: the data unchanged. */
  readonly prepare?: (data: BootstrapData) => Promise<BootstrapData>;
  /** `undefined` when the cluster names no store. */
  readonly store: StoreAccess | undefined;
  /** Lifetime of a pointer to the store, in seconds. Default 900. */
  readonly expiresInSeconds?: number | undefined;
  readonly uploads: UploadMemory;
  /** Called before anything is put into a store, so that the object is known to be there whatever happens next. */
  readonly announce: (record: DeliveryRecord) => Promise<void>;
  readonly log: Logger;
}

/** A delivery for one machine. `record` is set once something was delivered. */
export interface RecordedDelivery extends BootstrapDelivery {
  readonly record: () => DeliveryRecord | undefined;
}

const failure = (
  code: string,
  reason: string,
  message: string,
  retry: CapstanError["retry"] = { kind: "never" },
): CapstanError => new CapstanError({ code, reason, message, retry });

/** A Secret that appears wakes its machine; this is for one that appears unseen. */
const missingSecret = { kind: "after", ms: slowRetryMs, unlessChanged: true } as const;

const readData = async (input: DeliveryInput): Promise<BootstrapData> => {
  const { namespace, secretName } = input;
  const accepted = input.formats ?? [bootstrapFormats.cloudConfig];
  if (secretName === "") {
    return { bytes: new Uint8Array(), format: accepted[0] ?? bootstrapFormats.cloudConfig, secret: undefined };
  }
  const secret = `bootstrap Secret ${namespace}/${secretName}`;
  const data = await input.readBootstrap();
  if (data === undefined) {
    const message = `${secret} does not exist; create it: it is used as soon as it is there`;
    throw failure("bootstrap.secret_missing", "BootstrapSecretMissing", message, missingSecret);
  }
  const key = bootstrapSecretKeys.value;
  const bytes = data[key];
  if (bytes === undefined) {
    throw failure("bootstrap.value_missing", "BootstrapValueMissing", `${secret} has no key "${key}"`);
  }
  if (bytes.length === 0) {
    throw failure("bootstrap.empty", "BootstrapDataEmpty", `${secret} contains no bootstrap data`);
  }
  const format = Buffer.from(data[bootstrapSecretKeys.format] ?? []).toString("utf8") || bootstrapFormats.cloudConfig;
  if (!accepted.includes(format)) {
    const message = `${secret} has the format "${format}"; this infrastructure supports ${accepted.join(", ")}`;
    throw failure("bootstrap.format_unsupported", "BootstrapFormatUnsupported", message);
  }
  return { bytes, format, secret: { namespace, name: secretName, key } };
};

/** Size of what the cloud was given: the user-data, where that is what the route hands over. */
const deliveredBytes = (value: object, data: BootstrapData): number =>
  "bytes" in value && value.bytes instanceof Uint8Array ? value.bytes.length : data.bytes.length;

/** The delivery that is handed to an author's `create`: nothing is read or stored before `deliver` is called. */
export const bootstrapDelivery = (input: DeliveryInput): RecordedDelivery => {
  let record: DeliveryRecord | undefined;
  const deliver = async <const Routes extends readonly DeliveryRoute[]>(
    routes: Routes,
  ): Promise<DeliveredBy<Routes[number]>> => {
    const original = await readData(input);
    const sizeBytes = original.bytes.length;
    let stored: StoredFacts | undefined;
    let route = "";
    const storeWith = (access: StoreAccess): MachineStore =>
      machineStore({
        ...input,
        access,
        announce: (facts) => input.announce({ route, sizeBytes, ...whereStored({ access, key: input.key }), ...facts }),
        stored: (facts) => (stored = facts),
      });
    const store = input.store === undefined ? undefined : storeWith(input.store);
    const data = original.secret === undefined ? original : ((await input.prepare?.(original)) ?? original);
    const choice = await chooseRoute(routes, data, { store });
    route = choice.route.name;
    const value = await choice.route.deliver(choice.data, { store });
    record = { route, sizeBytes, deliveredBytes: deliveredBytes(value, choice.data), ...stored };
    return { ...value, route, sizeBytes, format: original.format } as DeliveredBy<Routes[number]>;
  };
  return { deliver, record: () => record };
};
