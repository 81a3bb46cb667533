import { isIPv6 } from "node:net";
import { publicAddresses } from "./instance-views.ts";
import { neighborAt } from "./vpc-addresses.ts";
import type { SimulatorState, StoredInstance } from "../state.ts";

type Reachable = Pick<SimulatorState, "block" | "domains" | "edgeZones" | "instances">;

/** As URLs have them. */
const plain = (address: string): string => (isIPv6(address) ? new URL(`http://[${address}]`).hostname : address);

const instanceAt = (address: string, { instances }: Reachable): StoredInstance | undefined =>
  instances.find((each) => [...publicAddresses(each), each.slaac].some((own) => plain(own) === plain(address)));

const isIn = (host: string, zone: string): boolean => host === zone || host.endsWith(`.${zone}`);

/** The addresses of a name; `undefined`: it is in no zone of the account. */
const lookUp = (host: string, { domains, edgeZones }: Reachable): readonly string[] | undefined => {
  const zones = [...domains.map(({ domain }) => domain), ...edgeZones.map(({ zone }) => zone)];
  if (!zones.some((zone) => isIn(host, zone))) return undefined;
  const atLinode = domains.flatMap(({ domain, records }) =>
    records.filter(({ name }) => (name === "" ? domain : `${name}.${domain}`) === host),
  );
  const atAkamai = edgeZones.flatMap(({ recordsets }) =>
    recordsets
      .filter(({ name }) => name === host)
      .flatMap(({ rdata, type }) => rdata.map((target) => ({ type, target }))),
  );
  return [...atLinode, ...atAkamai].flatMap(({ target, type }) => (type === "A" || type === "AAAA" ? [target] : []));
};

/** Returns an address of the block that no machine gets. */
export const nobody = ({ block }: Reachable): string => `127.${block}.0.1`;

/**
 * The address on this computer that stands for a public address of an instance, or for a name in a zone at Linode or at Akamai: of the
 * first machine that runs. A name without one leads nowhere, and not to whom it belongs outside. `undefined`: none of this account's.
 */
export const reachPublic = (host: string, state: Reachable): string | undefined => {
  const addresses = lookUp(host.toLowerCase(), state);
  if (addresses === undefined) return instanceAt(host, state)?.address;
  const found = addresses.flatMap((address) => {
    if (address.startsWith("127.")) return { address, isOn: true };
    const instance = instanceAt(address, state);
    return instance === undefined ? [] : { address: instance.address, isOn: instance.status === "running" };
  });
  return (found.find(({ isOn }) => isOn) ?? found[0])?.address ?? nobody(state);
};

/** As {@link reachPublic}, for the programs of an instance: they reach the addresses of its VPCs too. */
export const reachFrom = (instance: StoredInstance, host: string, state: Reachable): string | undefined =>
  neighborAt(host, instance, state)?.address ?? reachPublic(host, state);
