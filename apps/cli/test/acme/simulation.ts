import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { Secret } from "@capstan/contract";
import type { CreateSimulationV1 } from "@capstan/contract/v1";

/** The cloud of another user's provider: it has a region, which a seed may name, and which lasts where there is a folder. */
export const createSimulation: CreateSimulationV1 = ({ folder, port, seed }) => {
  const directory = folder("acme");
  const file = directory === undefined ? undefined : join(directory, "region");
  const given = (seed("acme") as { readonly region?: string } | undefined)?.region ?? "mars";
  const region = file !== undefined && existsSync(file) ? readFileSync(file, "utf8") : given;
  const server = createServer((_, response) => response.end(region));
  let url = "";
  return {
    contract: "v1",
    name: "acme",
    start: async () => {
      const wanted = await port("acme");
      await new Promise<void>((resolve) => void server.listen(wanted, "127.0.0.1", resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      if (file !== undefined) writeFileSync(file, region);
    },
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
    get description() {
      return `simulated Acme at ${url}`;
    },
    get urls() {
      return { acme: url };
    },
    get cloud() {
      return { endpoint: url, token: new Secret("acme-token") };
    },
    get variables() {
      return { ACME_URL: url, ACME_MOTTO: "it's high" };
    },
  };
};
