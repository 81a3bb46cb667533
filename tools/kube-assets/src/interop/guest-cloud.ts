import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { createGuestHost, type GuestHost } from "@capstan/guest";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { forwardTcp, type TcpForward } from "@capstan/simulation/network";
import { MemoryCloud } from "@capstan/testing/infra-memory";

/** Where kubeadm binds API servers when nothing is said. */
const apiServerPort = 6443;

/** A cloud in memory whose servers boot: each has a loopback address, and each cluster a balanced endpoint. */
export interface GuestCloud {
  readonly cloud: MemoryCloud;
  readonly guests: GuestHost;
  stop(): Promise<void>;
}

/** Loopback addresses that simulators of clouds do not take, `127.<2..15>.<n>.0/24`, at random. */
const someNetwork = (): string => `127.${2 + Math.floor(Math.random() * 14)}.${Math.floor(Math.random() * 256)}`;

/** A network that is no one else's until `claim` is closed, which listens on the last port of its first address. */
const claimNetwork = async (): Promise<{ readonly network: string; readonly claim: Server }> => {
  for (;;) {
    const network = someNetwork();
    const claim = createServer().listen(65_535, `${network}.0`);
    try {
      await once(claim, "listening");
      return { network, claim };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    }
  }
};

export const createGuestCloud = async (): Promise<GuestCloud> => {
  const { network, claim } = await claimNetwork();
  const guests = createGuestHost({ clock: systemClock, random: cryptoRandom, lenient: true });
  const balancers: Promise<TcpForward>[] = [];
  const balance = (tag: string): { readonly host: string; readonly port: number } => {
    const endpoint = { host: `${network}.${254 - balancers.length}`, port: apiServerPort };
    const members = () =>
      [...cloud.servers.values()]
        .filter(({ name, state }) => state === "running" && cloud.loadBalancers.get(tag)?.members.includes(name))
        .map(({ addresses: [host = ""] }) => ({ host, port: apiServerPort }));
    balancers.push(forwardTcp(endpoint, members));
    return endpoint;
  };
  const cloud: MemoryCloud = new MemoryCloud({
    clock: systemClock,
    userDataLimitBytes: 64 * 1024,
    addressOf: (ordinal) => `${network}.${ordinal}`,
    endpoint: balance,
    onBoot: ({ id, name, userData, addresses: [address = ""] }) =>
      void guests.boot({
        id,
        metadata: { "local-hostname": name, local_hostname: name },
        userData: Buffer.from(userData).toString("base64"),
        address,
        providerID: `memory://${id}`,
      }),
    onDelete: ({ id }) => void guests.shutdown(id),
  });
  return {
    cloud,
    guests,
    stop: async () => {
      await guests.stop();
      for (const balancer of await Promise.all(balancers)) await balancer.close();
      claim.close();
    },
  };
};
