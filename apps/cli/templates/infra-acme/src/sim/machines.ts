import type { MachineModel } from "@capstan/simulation";
import type { Account, StoredServer } from "./account.ts";

/** Gives the power of machines, and the guests inside, access to an account. */
export const serverModel = (account: Account): MachineModel<StoredServer> => ({
  all: () => account.servers,
  powerOf: ({ power }) => power,
  become: (server, power) => {
    server.power = power;
  },
  bootsByItself: () => true,
  remove: (gone) => {
    account.servers = account.servers.filter((server) => server !== gone);
  },
  guestOf: ({ id, name, size, userData, address }) => ({
    id,
    name,
    metadata: { "instance-id": id, label: name, size, "local-hostname": name, "local-ipv4": address },
    userData,
    address,
    providerID: `acme://${id}`,
    // What servers begin with: documents have to install the rest.
    image: "ubuntu-22.04",
  }),
});
