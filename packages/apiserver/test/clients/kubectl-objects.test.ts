import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type KubectlSession, kubectlBinary, startSession } from "./kubectl-session.ts";

const role = (verbs: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: reconciled, namespace: shop}
rules: [{apiGroups: [""], resources: [configmaps], verbs: [${verbs}]}]
`;

/** kubectl is not on the PATH: these cases are skipped. */
describe.skipIf(kubectlBinary === undefined)("kubectl on objects", () => {
  let session: KubectlSession;
  const kubectl: KubectlSession["kubectl"] = (...words) => session.kubectl(...words);
  const inShop: KubectlSession["kubectl"] = (...words) => session.kubectl("-n", "shop", ...words);

  beforeAll(async () => {
    session = await startSession();
    await kubectl("create", "namespace", "shop");
  });

  afterAll(async () => {
    await session.stop();
  });

  it("shows the server and itself", async () => {
    expect(await kubectl("version")).toMatch(/Server Version: v1\.\d+/);
    expect(await kubectl("cluster-info")).toContain(`control plane is running at ${session.server.url}`.slice(0, 24));
    expect(await kubectl("config", "view")).toContain("current-context: kubernetes-admin@");
    expect(await kubectl("api-versions")).toMatch(/^apps\/v1$/m);
    expect(await kubectl("api-resources")).toMatch(/^deployments +deploy +apps\/v1 +true +Deployment$/m);
    expect(await kubectl("api-resources", "--namespaced=false", "-o", "wide")).toMatch(
      /^nodes +no +v1 +false +Node +c/m,
    );
    expect(await kubectl("get", "--raw", "/readyz?verbose")).toContain("readyz check passed");
    expect(JSON.parse(await kubectl("get", "--raw", "/"))).toMatchObject({ paths: expect.arrayContaining(["/api"]) });
    expect(await kubectl("get", "apiservices")).toMatch(/^v1\.apps +Local +True/m);
    expect(await kubectl("get", "service", "kubernetes")).toMatch(/^kubernetes +ClusterIP +10\.0\.0\.1 .*443\/TCP/m);
    expect((await session.attempt("top", "nodes")).stderr).toContain("Metrics API not available");
  });

  it.each([
    ["configmap/a", ["create", "configmap", "a", "--from-literal=x=1"]],
    ["secret/s", ["create", "secret", "generic", "s", "--from-literal=k=v"]],
    ["secret/dr", ["create", "secret", "docker-registry", "dr", "--docker-username=u", "--docker-password=p"]],
    ["serviceaccount/robot", ["create", "serviceaccount", "robot"]],
    ["role.rbac.authorization.k8s.io/r", ["create", "role", "r", "--verb=get,list", "--resource=configmaps"]],
    ["rolebinding.rbac.authorization.k8s.io/rb", ["create", "rolebinding", "rb", "--role=r", "--user=alice"]],
    ["clusterrole.rbac.authorization.k8s.io/cr", ["create", "clusterrole", "cr", "--verb=get", "--resource=nodes"]],
    [
      "clusterrolebinding.rbac.authorization.k8s.io/crb",
      ["create", "clusterrolebinding", "crb", "--clusterrole=cr", "--group=devs"],
    ],
    ["deployment.apps/d", ["create", "deployment", "d", "--image=nginx:1", "--replicas=2", "--port=80"]],
    ["service/d", ["expose", "deployment", "d", "--port=80"]],
    ["service/np", ["create", "service", "nodeport", "np", "--tcp=80"]],
    ["service/lb", ["create", "service", "loadbalancer", "lb", "--tcp=80"]],
    ["service/en", ["create", "service", "externalname", "en", "--external-name=x.y"]],
    ["job.batch/j", ["create", "job", "j", "--image=i"]],
    ["cronjob.batch/cj", ["create", "cronjob", "cj", "--image=i", "--schedule=@daily"]],
    ["ingress.networking.k8s.io/ing", ["create", "ingress", "ing", "--rule=a.b/x=d:80"]],
    ["poddisruptionbudget.policy/pdb", ["create", "pdb", "pdb", "--selector=app=x", "--min-available=1"]],
    ["priorityclass.scheduling.k8s.io/pc", ["create", "priorityclass", "pc", "--value=10"]],
    ["resourcequota/q", ["create", "quota", "q", "--hard=pods=3"]],
    ["horizontalpodautoscaler.autoscaling/d", ["autoscale", "deployment", "d", "--max=3", "--cpu-percent=50"]],
    ["pod/one", ["run", "one", "--image=i"]],
  ])("creates %s", async (name, words) => {
    expect(await inShop(...words)).toMatch(new RegExp(`^${name} (created|exposed|autoscaled)`, "m"));
    expect(await inShop("describe", name)).toMatch(/^Name: /);
    expect(await inShop("get", name, "-o", "name")).toBe(`${name}\n`);
  });

  it("prints tables of what it created", async () => {
    const shown = await inShop("get", "cm,hpa,job,cronjob,ingress,svc");
    expect(shown).toMatch(/^configmap\/a +1 +\d+s$/m);
    expect(shown).toMatch(/^horizontalpodautoscaler\.autoscaling\/d +Deployment\/d +cpu: <unknown>\/50% +1 +3 +0 /m);
    expect(shown).toMatch(/^job\.batch\/j +Running +0\/1 /m);
    expect(shown).toMatch(/^cronjob\.batch\/cj +@daily +<none> +False +0 +<none> /m);
    expect(shown).toMatch(/^ingress\.networking\.k8s\.io\/ing +<none> +a\.b +80 /m);
    expect(shown).toMatch(/^service\/lb +LoadBalancer +10\.0\.0\.\d+ +<pending> +80:3\d{4}\/TCP /m);
    expect(await inShop("get", "all")).toContain("deployment.apps/d");
  });

  it("gives tokens and answers about rights", async () => {
    expect((await inShop("create", "token", "robot", "--duration=20m")).split(".")).toHaveLength(3);
    expect(await kubectl("auth", "whoami")).toMatch(/^Username +kubernetes-admin$/m);
    expect(await inShop("auth", "can-i", "list", "configmaps", "--as", "alice")).toBe("yes\n");
    expect((await session.attempt("-n", "shop", "auth", "can-i", "delete", "cm", "--as", "alice")).stdout).toBe("no\n");
    expect(await inShop("auth", "can-i", "--list", "--as", "alice")).toMatch(/^configmaps +\[\] +\[\] +\[get list\]$/m);
    expect(await kubectl("auth", "can-i", "get", "nodes", "--as", "bob", "--as-group", "devs")).toContain("yes");
  });

  it("reconciles roles", async () => {
    const rules = ["get", "role", "reconciled", "-o", "jsonpath={.rules[*].verbs}"];
    expect(await kubectl("auth", "reconcile", "-f", session.file("role.yaml", role("get")))).toContain("reconciled");
    session.file("role.yaml", role("list"));
    await kubectl("auth", "reconcile", "-f", session.file("role.yaml", role("list")));
    expect(await inShop(...rules)).toBe('["get"] ["list"]');
    await kubectl("auth", "reconcile", "--remove-extra-permissions", "-f", session.file("role.yaml", role("list")));
    expect(await inShop(...rules)).toBe('["list"]');
  });

  it("selects, sorts and picks columns", async () => {
    await inShop("label", "configmap", "a", "tier=back");
    expect(await inShop("get", "cm", "-l", "tier=back", "-o", "name")).toBe("configmap/a\n");
    expect(await inShop("get", "cm", "-l", "tier!=back", "-o", "name")).toBe("configmap/kube-root-ca.crt\n");
    expect(await inShop("get", "cm", "-L", "tier", "a")).toMatch(/^NAME +DATA +AGE +TIER\na +1 +\d+s +back$/m);
    expect(await kubectl("get", "cm", "-A", "--field-selector", "metadata.name=a", "-o", "name")).toBe("configmap/a\n");
    expect(await kubectl("get", "ns", "--sort-by=.metadata.name", "-o", "name")).toMatch(/^namespace\/default\n/);
    expect(await inShop("get", "cm", "a", "-o", "custom-columns=N:.metadata.name,X:.data.x")).toMatch(/^a +1$/m);
    expect(await inShop("get", "cm", "--chunk-size=1", "-o", "name")).toContain("configmap/a");
    const bad = await session.attempt("get", "pods", "-A", "--field-selector", "spec.bad=1");
    expect(bad.stderr).toContain("field label not supported: spec.bad");
  });

  it("explains built-in kinds", async () => {
    expect(await kubectl("explain", "deployment.spec.replicas")).toContain("FIELD: replicas <integer>");
    expect(await kubectl("explain", "pod.spec.containers", "--recursive")).toMatch(/livenessProbe\t<Probe>/);
    expect(await kubectl("explain", "--api-version=autoscaling/v2", "hpa.spec")).toMatch(/metrics\t<\[\]MetricSpec>/);
    expect((await session.attempt("explain", "pods.nope")).stderr).toContain('field "nope" does not exist');
  });

  it("shows events", async () => {
    const uid = await inShop("get", "pod", "one", "-o", "jsonpath={.metadata.uid}");
    const involvedObject = { kind: "Pod", name: "one", namespace: "shop", apiVersion: "v1", uid };
    const event = {
      metadata: { name: "e" },
      involvedObject,
      reason: "Started",
      message: "it runs",
      type: "Normal",
      count: 2,
    };
    const lastTimestamp = "2026-01-01T00:00:00Z";
    await session.api.post("/api/v1/namespaces/shop/events", {
      ...event,
      lastTimestamp,
      firstTimestamp: lastTimestamp,
    });
    expect(await inShop("events")).toMatch(/Normal +Started +Pod\/one +it runs/);
    expect(await inShop("get", "events", "--field-selector", "involvedObject.name=one")).toContain("it runs");
    expect(await inShop("describe", "pod", "one")).toMatch(/Normal +Started .* it runs/);
  });

  it("deletes by name, selector, in every way", async () => {
    expect(await inShop("delete", "cm", "a", "--dry-run=server")).toContain("(server dry run)");
    expect(await inShop("delete", "cm", "-l", "tier=back")).toContain('"a" deleted');
    expect((await session.attempt("-n", "shop", "delete", "cm", "a")).stderr).toContain("(NotFound)");
    expect(await inShop("delete", "cm", "a", "--ignore-not-found")).toBe("");
    expect(await inShop("delete", "pods", "--all", "--force", "--grace-period=0")).toContain('"one" force deleted');
    for (const [name, cascade] of [
      ["d", "orphan"],
      ["j", "foreground"],
      ["cj", "background"],
    ] as const) {
      const kind = { d: "deployment", j: "job", cj: "cronjob" }[name];
      expect(await inShop("delete", kind, name, `--cascade=${cascade}`, "--timeout=10s")).toContain("deleted");
    }
    expect(await kubectl("delete", "ns", "shop", "--timeout=10s")).toContain('"shop" deleted');
  });
});
