import { readFileSync, writeFileSync } from "node:fs";
import { createApiServer } from "@capstan/apiserver";
import { ClusterResource } from "@capstan/contract/wire";
import { connect } from "@capstan/kube";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { apiVersionOf } from "@capstan/schema";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { DescribeOptions } from "../src/describe/describe-command.ts";
import { runDescribe, showTree } from "../src/describe/run-describe.ts";
import { runRollout } from "../src/rollout/run-rollout.ts";
import { createManagedWorld } from "./managed-world.ts";

const options: DescribeOptions = {
  kind: "cluster",
  name: "orchid",
  namespace: "default",
  kubeconfig: undefined,
  context: undefined,
  dataDir: undefined,
  watch: false,
  output: "text",
  showConditions: [],
  grouping: true,
  echo: false,
};

it("shows every change until the object is gone, and a reference that leads nowhere", async () => {
  const server = createApiServer({ clock: systemClock, random: cryptoRandom });
  await server.start();
  await using world = await createManagedWorld({
    clock: systemClock,
    random: cryptoRandom,
    pass: (work) => work,
    server,
  });
  await world.install();
  // A person's commands are about the namespace of the kubeconfig's context, unless they name one.
  const config = parse(readFileSync(world.kubeconfig, "utf8")) as { readonly contexts: { context: object }[] };
  for (const entry of config.contexts) entry.context = { ...entry.context, namespace: "team-a" };
  writeFileSync(world.kubeconfig, stringify(config));
  const asked = { ...options, kubeconfig: world.kubeconfig, namespace: undefined };
  await expect(runDescribe(asked)).rejects.toThrow("no Cluster orchid in namespace team-a");
  await expect(runDescribe({ ...asked, namespace: "other" })).rejects.toThrow("in namespace other");
  await expect(runRollout({ ...asked, kind: "machinedeployment", action: "pause" })).rejects.toThrow(
    "orchid in namespace team-a",
  );

  const connection = connect({ access: world.adminAccess, clock: systemClock });
  const written: string[] = [];
  const screen = { write: (text: string) => void written.push(text), colour: false };
  const signal = new AbortController().signal;
  await expect(showTree(connection, options, { screen, signal })).rejects.toMatchObject({ code: "describe.not_found" });

  const { apiVersion, ...key } = { apiVersion: apiVersionOf(ClusterResource), namespace: "default", name: "orchid" };
  const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "LinodeCluster", name: "orchid" };
  await world.admin.create(ClusterResource, {
    apiVersion,
    kind: "Cluster",
    metadata: key,
    spec: { infrastructureRef },
  });
  const watching = showTree(connection, { ...options, watch: true }, { screen, signal });
  await expect
    .poll(() => written.join(""))
    .toMatch(/LinodeCluster\/orchid +Exists: False +NotFound +there is no LinodeCluster/);
  expect(written.join("")).toMatch(/\nCluster\/orchid +Available: Unknown +no controller has reconciled it yet\n/);
  const condition = {
    type: "Available",
    status: "True",
    reason: "Fine",
    message: "",
    lastTransitionTime: "2026-01-01T00:00:00Z",
  };
  await world.admin.patch(
    ClusterResource,
    key,
    { type: "merge", body: { status: { conditions: [condition] } } },
    { subresource: "status" },
  );
  await expect.poll(() => written.at(-1)).toMatch(/Cluster\/orchid +Available: True +Fine/);
  await world.admin.delete(ClusterResource, key);
  await watching;
  expect(written.at(-1)).toBe("Cluster orchid is gone\n");
  await connection.close();
});
