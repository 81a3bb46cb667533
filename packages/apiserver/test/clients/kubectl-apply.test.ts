import { dirname } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { widgetCrd } from "../conformance/crds.ts";
import { type KubectlSession, kubectlBinary, startSession } from "./kubectl-session.ts";

const deployment = (image: string, replicas = 2, name = "web"): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop, labels: {app: web}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "nginx:${image}", ports: [{containerPort: 80}]}]}
`;

interface ManagedFields {
  readonly manager: string;
  readonly operation: string;
}

/** kubectl is not on the PATH: these cases are skipped. */
describe.skipIf(kubectlBinary === undefined)("kubectl apply and change", () => {
  let session: KubectlSession;
  const kubectl: KubectlSession["kubectl"] = (...words) => session.kubectl(...words);
  const inShop: KubectlSession["kubectl"] = (...words) => session.kubectl("-n", "shop", ...words);
  const apply = (content: string, ...words: readonly string[]) =>
    session.attempt("apply", "-f", session.file("manifest.yaml", content), ...words);

  beforeAll(async () => {
    session = await startSession();
    await kubectl("create", "namespace", "shop");
  });

  afterAll(async () => {
    await session.stop();
  });

  it("applies from the client, again and changed", async () => {
    expect((await apply(deployment("1"))).stdout).toBe("deployment.apps/web created\n");
    expect((await apply(deployment("1"))).stdout).toBe("deployment.apps/web unchanged\n");
    const { code, stdout } = await session.attempt("diff", "-f", session.file("changed.yaml", deployment("2")));
    expect(code).toBe(1);
    expect(stdout).toMatch(/^-\s+- image: nginx:1\n\+\s+- image: nginx:2$/m);
    expect((await apply(deployment("2"))).stdout).toBe("deployment.apps/web configured\n");
    expect((await apply(deployment("2"), "--dry-run=server")).stdout).toContain("unchanged (server dry run)");
    expect((await apply(deployment("2").replace("replicas:", "replica:"))).stderr).toContain(
      'unknown field "spec.replica"',
    );
  });

  it("applies a Secret whose base64 kustomize has wrapped, which is stored in one line", async () => {
    const text = "0123456789".repeat(12);
    const generator = `secretGenerator:\n- {name: wrapped, namespace: shop, literals: [text=${text}]}\ngeneratorOptions: {disableNameSuffixHash: true}\n`;
    const folder = dirname(session.file("kustomization.yaml", generator));
    expect(await kubectl("kustomize", folder)).toMatch(/text: \|\n +\S+\n +\S+\n/);
    for (const [how, outcome] of [
      [[], "created"],
      [["--server-side", "--force-conflicts"], "serverside-applied"],
    ] as const) {
      expect(await kubectl("apply", "-k", folder, ...how)).toBe(`secret/wrapped ${outcome}\n`);
      expect(await inShop("get", "secret", "wrapped", "-o", "jsonpath={.data.text}")).toBe(
        Buffer.from(text).toString("base64"),
      );
    }
    await inShop("label", "secret", "wrapped", "changed=later");
  });

  it("applies a List of built-in and custom objects, which it checks by OpenAPI v2", async () => {
    const crd = session.file("crd.json", JSON.stringify(widgetCrd));
    await kubectl("apply", "-f", crd);
    await kubectl("wait", "--for=condition=Established", "crd/widgets.conf.capstan.test");
    const items = [
      `- {apiVersion: v1, kind: ConfigMap, metadata: {name: listed, namespace: shop}, data: {a: b}}`,
      `- apiVersion: v1
  kind: Service
  metadata: {name: listed, namespace: shop}
  spec: {selector: {app: web}, ports: [{port: 80, targetPort: http}]}`,
      `- apiVersion: conf.capstan.test/v1
  kind: Widget
  metadata: {name: listed, namespace: shop}
  spec: {ios: 5, blob: {any: [1, {thing: x}]}}`,
    ];
    const list = `apiVersion: v1\nkind: List\nitems:\n${items.join("\n")}\n`;
    const first = await apply(list);
    expect(first.stderr).toBe("");
    expect(first.stdout).toBe(
      "configmap/listed created\nservice/listed created\nwidget.conf.capstan.test/listed created\n",
    );
    expect((await apply(list)).stdout.match(/unchanged/g)).toHaveLength(3);
    const wrong = await apply(list.replace("data: {a: b}", "dat: {a: b}"));
    expect(wrong.stderr).toContain('unknown field "dat"');
  });

  it("goes over to server-side apply with what the client applied", async () => {
    expect((await apply(deployment("3", 4), "--server-side")).stdout).toBe("deployment.apps/web serverside-applied\n");
    const object = JSON.parse(await inShop("get", "deploy", "web", "-o", "json", "--show-managed-fields")) as {
      metadata: { managedFields: ManagedFields[]; annotations: Record<string, string> };
    };
    // Managers come in the order of their last change, in seconds: kubectl makes several.
    const managers = object.metadata.managedFields.map(({ manager, operation }) => `${manager} ${operation}`);
    expect(managers.toSorted()).toEqual(["kubectl Apply", "kubectl-last-applied Apply"]);
    expect(await inShop("apply", "view-last-applied", "deployment/web")).toMatch(/image: nginx:3/);
    expect(
      (await session.attempt("diff", "--server-side", "-f", session.file("same.yaml", deployment("3", 4)))).code,
    ).toBe(0);
  });

  it("reports conflicts and takes fields by force", async () => {
    const other = ["--server-side", "--field-manager=other"];
    const { code, stderr } = await apply(deployment("4", 4), ...other);
    expect(code).toBe(1);
    expect(stderr).toContain(
      'Apply failed with 1 conflict: conflict with "kubectl": .spec.template.spec.containers[name="c"].image',
    );
    expect((await apply(deployment("4", 4), ...other, "--force-conflicts")).stdout).toContain("serverside-applied");
    expect(await inShop("get", "deploy", "web", "-o", "jsonpath={..image}")).toBe("nginx:4");
    expect((await apply(deployment("5", 4), "--server-side")).stderr).toContain('conflict with "other"');
  });

  it("patches in every way, also the status", async () => {
    const patch = (type: string, body: unknown, ...words: readonly string[]) =>
      session.attempt("-n", "shop", "patch", "deploy", "web", "--type", type, "-p", JSON.stringify(body), ...words);
    const containers = [{ name: "c", image: "nginx:9" }];
    expect((await patch("strategic", { spec: { template: { spec: { containers } } } })).stdout).toContain("patched");
    expect((await patch("merge", { spec: { paused: true } })).stdout).toContain("patched");
    expect((await patch("json", [{ op: "replace", path: "/spec/replicas", value: 3 }])).stdout).toContain("patched");
    expect((await patch("json", [{ op: "test", path: "/spec/replicas", value: 4 }])).code).toBe(1);
    expect((await patch("merge", { status: { replicas: 3 } }, "--subresource=status")).stdout).toContain("patched");
    const shown = await inShop(
      "get",
      "deploy",
      "web",
      "-o",
      "jsonpath={.spec.replicas} {.spec.paused} {..image} {.status.replicas}",
    );
    expect(shown).toBe("3 true nginx:9 3");
    await inShop("rollout", "resume", "deploy/web");
  });

  it("labels, annotates, scales and sets", async () => {
    await inShop("label", "deploy", "web", "tier=back");
    expect((await session.attempt("-n", "shop", "label", "deploy", "web", "tier=front")).stderr).toContain(
      "--overwrite",
    );
    await inShop("label", "deploy", "web", "tier=front", "--overwrite");
    await inShop("annotate", "deploy", "web", "note=x");
    await inShop("scale", "deploy", "web", "--replicas=7");
    expect(
      (await session.attempt("-n", "shop", "scale", "deploy", "web", "--current-replicas=3", "--replicas=8")).code,
    ).toBe(1);
    await inShop("set", "image", "deploy/web", "c=nginx:10");
    await inShop("set", "env", "deploy/web", "A=b");
    await inShop("set", "resources", "deploy/web", "--limits=cpu=1");
    const shown =
      "jsonpath={.metadata.labels.tier} {.metadata.annotations.note} {.spec.replicas} {..image} {..env[0].name} {..limits.cpu}";
    expect(await inShop("get", "deploy", "web", "-o", shown)).toBe("front x 7 nginx:10 A 1");
    await inShop("label", "deploy", "web", "tier-");
    expect(await inShop("get", "deploy", "web", "-o", "jsonpath={.metadata.labels}")).toBe('{"app":"web"}');
  });

  it("replaces, and refuses what is out of date", async () => {
    const before = await inShop("get", "deploy", "web", "-o", "yaml");
    await inShop("annotate", "deploy", "web", "newer=yes");
    const stale = await session.attempt("replace", "-f", session.file("stale.yaml", before));
    expect(stale.stderr).toContain("(Conflict)");
    const now = await inShop("get", "deploy", "web", "-o", "yaml");
    expect(await kubectl("replace", "-f", session.file("now.yaml", now))).toContain("replaced");
    expect(await kubectl("replace", "--force", "--timeout=10s", "-f", session.file("now.yaml", now))).toContain(
      "replaced",
    );
  });

  it("waits for a rollout whose status somebody reports", async () => {
    await inShop("rollout", "restart", "deploy/web");
    const rollout = session.follow("-n", "shop", "rollout", "status", "deploy/web", "--timeout=20s");
    await rollout.says(/Waiting for deployment/);
    const generation = Number(await inShop("get", "deploy", "web", "-o", "jsonpath={.metadata.generation}"));
    const counts = { replicas: 7, updatedReplicas: 7, readyReplicas: 7, availableReplicas: 7 };
    await session.api.mergePatch("/apis/apps/v1/namespaces/shop/deployments/web/status", {
      status: { observedGeneration: generation, ...counts },
    });
    expect(await rollout.says(/successfully rolled out/)).toContain("web");
    expect(await inShop("get", "deploy", "web")).toMatch(/^web +7\/7 +7 +7 /m);
  });

  it("follows changes", async () => {
    const watch = session.follow("-n", "shop", "get", "configmaps", "-w", "--output-watch-events");
    await watch.says(/kube-root-ca/);
    await inShop("create", "configmap", "seen", "--from-literal=a=b");
    await watch.says(/ADDED +seen +1 /);
    await inShop("patch", "configmap", "seen", "-p", '{"data":{"c":"d"}}');
    await watch.says(/MODIFIED +seen +2 /);
    await inShop("delete", "configmap", "seen");
    await watch.says(/DELETED +seen +2 /);
    watch.stop();
  });

  it("waits for values and for the end", async () => {
    await inShop("create", "configmap", "slow");
    const value = inShop("wait", "cm/slow", "--for=jsonpath={.data.y}=2", "--timeout=10s");
    await inShop("patch", "configmap", "slow", "-p", '{"data":{"y":"2"}}');
    expect(await value).toContain("condition met");
    const gone = inShop("wait", "cm/slow", "--for=delete", "--timeout=10s");
    await inShop("delete", "cm", "slow");
    await gone;
    expect(
      (await session.attempt("-n", "shop", "wait", "deploy/web", "--for=condition=Nope", "--timeout=1s")).code,
    ).toBe(1);
  });
});
