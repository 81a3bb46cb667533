import type { KubeObject } from "@capstan/schema";
import { expect, it } from "vitest";
import { parseAllDocuments } from "yaml";
import type { ManagerOptions } from "../src/cluster/manager-options.ts";
import { createProgram } from "../src/program.ts";

const printed = async (line: string): Promise<readonly KubeObject[]> => {
  let text = "";
  const program = createProgram({ write: (part) => void (text += part) });
  expect(await program.run(["install", "--print", ...line.split(" ")])).toBe(0);
  return parseAllDocuments(text).map((document) => document.toJS() as KubeObject);
};

interface Role {
  readonly rules: readonly { readonly resources: readonly string[]; readonly resourceNames?: readonly string[] }[];
}

/** The options that a manager reads from these words. */
const parsedManager = async (words: readonly string[]): Promise<{ readonly manager: ManagerOptions | undefined }> => {
  let manager: ManagerOptions | undefined;
  const run = async (options: ManagerOptions): Promise<number> => {
    manager = options;
    return 0;
  };
  await createProgram({ manager: run }).run(words);
  return { manager };
};

const named = (objects: readonly KubeObject[], kind: string): readonly (string | undefined)[] =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);

const argsOf = (objects: readonly KubeObject[]): readonly string[] => {
  const deployment = objects.find(({ kind }) => kind === "Deployment") as unknown as {
    readonly spec: { readonly template: { readonly spec: { readonly containers: readonly [{ args: string[] }] } } };
  };
  return deployment.spec.template.spec.containers[0].args;
};

it("deploys one provider under its own account, with no webhooks where it has none", async () => {
  const objects = await printed(
    "--providers bootstrap-composite --image i:1 --namespace a --namespace b --watch-filter blue",
  );
  expect(named(objects, "Deployment")).toEqual(["capstan"]);
  expect(named(objects, "ServiceAccount")).toEqual(["capstan"]);
  for (const kind of ["Service", "Secret", "MutatingWebhookConfiguration"]) expect(named(objects, kind)).toEqual([]);
  expect(argsOf(objects)).toEqual([
    "manager",
    "--providers=bootstrap-composite",
    "--namespace=a",
    "--namespace=b",
    "--watch-filter=blue",
    "--system-namespace=capstan-system",
    "--leader-elect",
    "--diagnostics-address=:8443",
    "--output=json",
  ]);
});

it("tells the managers for which namespaces their own credentials are", async () => {
  const one = await printed(
    "--providers core --image i:1 --default-credentials-namespaces a,b --default-credentials-namespaces c --credentials-folder /f",
  );
  expect(argsOf(one)).toEqual(
    expect.arrayContaining(["--default-credentials-namespaces=a,b,c", "--credentials-folder=/f"]),
  );
  const all = await printed("--providers core --image i:1 --default-credentials-namespaces a,*");
  expect(argsOf(all)).toContain("--default-credentials-namespaces=*");
});

it("writes options of providers into the arguments of the managers, and refuses those that nobody declares", async () => {
  const given = "--set-option bootstrap-kubeadm.tokenTtl=30m --set-option object-store-s3.maxAttempts=2";
  const objects = await printed(`--providers core,bootstrap-kubeadm --image i:1 ${given}`);
  expect(argsOf(objects)).toEqual(
    expect.arrayContaining([
      "--set-option=bootstrap-kubeadm.tokenTtl=30m",
      "--set-option=object-store-s3.maxAttempts=2",
    ]),
  );
  await expect(
    printed("--providers core --image i:1 --set-option bootstrap-kubeadm.tokenTtl=30m"),
  ).rejects.toMatchObject({
    code: "option.unknown",
    message: expect.stringContaining("no provider or object store bootstrap-kubeadm is loaded"),
  });
  await expect(
    printed("--providers bootstrap-kubeadm --set-option bootstrap-kubeadm.tokenTtl=1s"),
  ).rejects.toMatchObject({
    code: "option.invalid",
  });
});

it("gives everything the label of the installation, and names that do not depend on the providers", async () => {
  const label = "capstan.dev/installation";
  const few = await printed("--providers core,infra-linode --image i:1 --installation blue");
  const more = await printed("--providers core,infra-linode,bootstrap-kubeadm --image i:1 --installation blue");
  for (const { metadata } of more) expect(metadata.labels?.[label]).toBe("blue");
  const identities = more.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  for (const { kind, metadata } of few) expect(identities).toContain(`${kind} ${metadata.name}`);
  expect(named(few, "Secret")).toEqual(["blue-webhook", "blue-reference-key"]);
  for (const kind of ["Deployment", "Service", "ValidatingWebhookConfiguration"]) {
    expect(named(few, kind)).toEqual(["blue"]);
  }
  expect(argsOf(few)).toContain("--installation=blue");
});

it("deploys several providers under one account, with their webhooks, and what the flags name", async () => {
  const objects = await printed(
    "--providers core,infra-linode --image i:1 --service-account me --webhook-service hooks",
  );
  expect(named(objects, "ServiceAccount")).toEqual(["me"]);
  for (const kind of ["Deployment", "Service"]) expect(named(objects, kind)).toEqual(["hooks"]);
  expect(named(objects, "Secret")).toEqual(["capstan-webhook", "capstan-reference-key"]);
  const certificates = objects.flatMap((object) => JSON.stringify(object).match(/"caBundle":"[^"]+"/g) ?? []);
  expect(certificates.length).toBeGreaterThan(10);
  expect(new Set(certificates).size).toBe(1);
  expect(argsOf(objects)).toContain("--webhook-service=hooks");
});

it("lets clusterctl find managers and webhooks by core, or by the only provider", async () => {
  const label = async (providers: string): Promise<unknown> => {
    const objects = await printed(`--providers ${providers} --image i:1`);
    const acting = /^(Deployment|Service|.*WebhookConfiguration)$/;
    const labels = objects.flatMap(({ kind, metadata }) =>
      acting.test(kind) ? [metadata.labels?.["cluster.x-k8s.io/provider"] ?? ""] : [],
    );
    return [...new Set(labels)];
  };
  expect(await label("infra-linode,core")).toEqual(["capstan"]);
  expect(await label("infra-linode")).toEqual(["infrastructure-capstan-linode"]);
  expect(await label("infra-linode,bootstrap-kubeadm")).toEqual([""]);
});

it("passes pace and election on to the managers that it deploys, and refuses at once what they would", async () => {
  const given =
    "--concurrency 20 --concurrency Machine=100 --sync-period 5m --bootstrap-timeout 1m30s --leader-elect-name one --lease-duration 1m --renew-deadline 40s --retry-period 500ms --log-level debug";
  const objects = await printed(`--providers core --image i:1 ${given}`);
  const args = argsOf(objects);
  const words = given.split(" --").map((word) => `--${word.replace(/^--/, "").replace(" ", "=")}`);
  expect(args).toEqual(expect.arrayContaining(words));
  const { manager } = await parsedManager(args);
  expect(manager).toMatchObject({
    concurrency: { "*": 20, Machine: 100 },
    syncPeriodMs: 300_000,
    bootstrapTimeoutMs: 90_000,
    leaderElectName: "one",
    leaseDurationMs: 60_000,
    renewDeadlineMs: 40_000,
    retryPeriodMs: 500,
    logLevel: "debug",
  });
  const rules = objects.flatMap((object) => (object.kind === "Role" ? (object as unknown as Role).rules : []));
  const named = rules.filter(({ resources, resourceNames }) => resources.includes("leases") && resourceNames);
  expect(named.flatMap(({ resourceNames = [] }) => resourceNames)).toEqual(["one"]);
  await expect(printed("--providers core --image i:1 --concurrency LinodeMachine=2")).rejects.toMatchObject({
    code: "manager.kind_unknown",
  });
  await expect(printed("--providers core --image i:1 --lease-duration 5s")).rejects.toMatchObject({
    code: "manager.flags_conflict",
  });
});
