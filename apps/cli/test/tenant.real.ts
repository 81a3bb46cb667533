import { conditionOf } from "@capstan/contract/wire";
import {
  LinodeFirewall,
  LinodeObjectStorageBucket,
  LinodeObjectStorageKey,
  LinodeVPC,
} from "@capstan/infra-linode/api";
import { createLogger, cryptoRandom, systemClock } from "@capstan/runtime";
import type { KubeObject, Resource } from "@capstan/schema";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { expect, it } from "vitest";
import { createProviders, providerNames } from "../src/modules/providers.ts";
import { notMeant } from "./boundary/meant-crossings.ts";
import { isTemporary, openedFiles } from "./boundary/opened-files.ts";
import { canary, teams } from "./boundary/teams.ts";
import { tryMarks } from "./boundary/tenant-marks.ts";
import { deleteAll, folderOf, listen, watching } from "./boundary/tenant-run.ts";
import { tenantOf, tryEverything } from "./boundary/tenant.ts";
import {
  changedObjects,
  changedThings,
  everyKind,
  leaked,
  newUsers,
  outsideThings,
  theirObjects,
} from "./boundary/what-is-theirs.ts";
import { createManagedWorld, nothingOutside, type ManagedWorld } from "./managed-world.ts";
import { areHeeded, startWithWebhooks } from "./webhook-cases.ts";

const assets = process.env["KUBEBUILDER_ASSETS"] ?? "";

/** What is not of Azure, whose services are not simulated beside a manager. */
const names = providerNames.filter((name) => name !== "infra-azure");

const withoutOthers = (manifest: string): string =>
  manifest
    .split("\n---\n")
    .filter((document) => !/Azure|AZURE|METAL_BMC|Tinkerbell|-metal|-azure/.test(document))
    .join("\n---\n");

/** Headings of named-things.txt below which no reference stands that admission sees: controllers alone keep it within the namespace. */
const alwaysTried = new Set(["own things", "offered hardware", "one machine", "own namespace"]);

/** Resolves when controllers have written nothing for two seconds. */
const settled = async (writes: () => number): Promise<void> => {
  let before = -1;
  await expect
    .poll(
      () => {
        const same = writes() === before;
        before = writes();
        return same;
      },
      { interval: 2000, timeout: 120_000 },
    )
    .toBe(true);
};

const standing: readonly Resource[] = [LinodeVPC, LinodeFirewall, LinodeObjectStorageBucket, LinodeObjectStorageKey];

const isThere = async ({ admin }: ManagedWorld, kind: Resource): Promise<boolean> => {
  const found = await admin.find<KubeObject>(kind, { namespace: "team-b", name: "theirs" });
  return found !== undefined && conditionOf(found, "Ready")?.status === "True";
};

it("a share of what a tenant can name reaches nothing of another namespace of a real API server", async ({ skip }) => {
  if (assets === "") return skip("KUBEBUILDER_ASSETS names no folder with etcd and kube-apiserver");
  using credentials = folderOf(canary);
  using own = await listen();
  const said: string[] = [];
  const asked = new Set<string>();
  let writes = 0;
  const real = await startKubeApiserver({ assets });
  await using world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    log: createLogger({ level: "debug", write: (line) => void said.push(JSON.stringify(line)) }),
    pass: (work) => work,
    server: {
      url: real.url,
      caCertificate: real.certificateAuthority.certificate,
      adminKubeconfig: async () => real.kubeconfig,
      stop: () => real.stop(),
    },
  });
  const wrapConnection = watching(
    (text) => asked.add(text),
    () => (writes += 1),
  );
  await startWithWebhooks(world, names, { wrapConnection });
  await areHeeded(world);
  await world.apply(withoutOthers(teams({ withMachines: false })));
  for (const kind of standing) await expect.poll(() => isThere(world, kind), { timeout: 60_000 }).toBe(true);
  await settled(() => writes);

  const { admin } = world;
  const providers = await createProviders(names, nothingOutside);
  const kinds = everyKind(providers);
  const clouds = { linode: world.simulation };
  const [objects, things] = [await theirObjects(admin, kinds), outsideThings(clouds)];
  asked.clear();
  using opened = openedFiles((path) => isTemporary(path) && path !== credentials.file);
  await using tenant = await tenantOf(admin, world.kubeconfig, providers);
  const wanted = { clouds, file: credentials.file, url: own.url };
  const attempts = [
    ...(await tryEverything(
      tenant.client,
      providers,
      wanted,
      (index, { guard }) => index % 5 === 0 || alwaysTried.has(guard),
    )),
    ...(await tryMarks({ admin, tenant: tenant.client }, providers, wanted, () => true)),
  ];
  await settled(() => writes);
  const meanwhile = [...(await leaked(admin, kinds)), ...newUsers(things, outsideThings(clouds))];
  await deleteAll(tenant.client, kinds);
  await settled(() => writes);
  const crossings = [
    ...asked,
    ...meanwhile,
    ...changedObjects(objects, await theirObjects(admin, kinds)),
    ...changedThings(things, outsideThings(clouds)),
    ...[...opened.unexpected].map((path) => `opened ${path}`),
    ...[...said, ...own.received].filter((text) => text.includes(canary)),
  ];
  expect(notMeant(crossings)).toEqual([]);
  expect(attempts.filter(({ answer }) => answer === "taken").length).toBeGreaterThan(60);
  const crossing = attempts.filter(({ guard, field }) => guard === "references" && /[{,.]namespace\b/.test(field));
  expect(crossing.filter(({ answer }) => answer !== "forbidden")).toEqual([]);
  expect(crossing.length).toBeGreaterThan(3);
  expect(world.failures).toEqual([]);
}, 900_000);
