import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { gadgetCrd, widgetCrd } from "../conformance/crds.ts";
import { eventually } from "../conformance/expectations.ts";
import { type KubectlSession, kubectlBinary, startSession } from "./kubectl-session.ts";

const pod = (name: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {app: guarded}}
spec: {nodeName: n1, terminationGracePeriodSeconds: 0, containers: [{name: c, image: i}]}
`;
const budget = `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: guard, namespace: shop}
spec: {minAvailable: 2, selector: {matchLabels: {app: guarded}}}
`;
const ready = { status: { phase: "Running", conditions: [{ type: "Ready", status: "True" }] } };

/** kubectl is not on the PATH: these cases are skipped. */
describe.skipIf(kubectlBinary === undefined)("kubectl on nodes and custom resources", () => {
  let session: KubectlSession;
  const kubectl: KubectlSession["kubectl"] = (...words) => session.kubectl(...words);
  const inShop: KubectlSession["kubectl"] = (...words) => session.kubectl("-n", "shop", ...words);

  beforeAll(async () => {
    session = await startSession();
    await kubectl("create", "namespace", "shop");
    await session.api.post("/api/v1/nodes", { metadata: { name: "n1" } });
  });

  afterAll(async () => {
    await session.stop();
  });

  it("taints and cordons", async () => {
    await kubectl("label", "node", "n1", "node-role.kubernetes.io/worker=");
    await kubectl("cordon", "n1");
    expect(await kubectl("get", "nodes")).toMatch(/^n1 +Unknown,SchedulingDisabled +worker /m);
    await kubectl("uncordon", "n1");
    await kubectl("taint", "node", "n1", "a=b:NoSchedule");
    expect((await session.attempt("taint", "node", "n1", "a=b:NoSchedule")).stderr).toContain("already has");
    await kubectl("taint", "node", "n1", "a=c:NoSchedule", "--overwrite");
    expect(await kubectl("describe", "node", "n1")).toMatch(/^Taints: +a=c:NoSchedule$/m);
    await kubectl("taint", "node", "n1", "a-");
  });

  it("drains as far as the disruption budget lets it, then to the end", async () => {
    await kubectl("apply", "-f", session.file("pods.yaml", [pod("p1"), pod("p2"), budget].join("---")));
    for (const name of ["p1", "p2"]) {
      await session.api.mergePatch(`/api/v1/namespaces/shop/pods/${name}/status`, ready);
    }
    const refused = await session.attempt("drain", "n1", "--force", "--ignore-daemonsets", "--timeout=1s");
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain("violate the pod's disruption budget");
    await inShop("delete", "pdb", "guard");
    expect(await kubectl("drain", "n1", "--force", "--ignore-daemonsets")).toContain("node/n1 drained");
    expect(await inShop("get", "pods", "-o", "name")).toBe("");
  });

  it("says clearly that Pods do not run here", async () => {
    await kubectl("apply", "-f", session.file("pod.yaml", pod("p3")));
    for (const words of [
      ["logs", "p3"],
      ["exec", "p3", "--", "ls"],
    ]) {
      const { code, stderr } = await session.attempt("-n", "shop", ...words);
      expect(code).toBe(1);
      expect(stderr).toContain("is not served here");
    }
  });

  it("defines kinds and uses them", async () => {
    await kubectl("apply", "-f", session.file("crd.json", JSON.stringify(widgetCrd)));
    await kubectl("apply", "-f", session.file("gadgets.json", JSON.stringify(gadgetCrd)));
    await kubectl("wait", "crd/widgets.conf.capstan.test", "--for=condition=Established", "--timeout=10s");
    await eventually(async () => expect(await kubectl("get", "gadgets")).toBe(""));
    expect(await kubectl("describe", "crd", "gadgets.conf.capstan.test")).toMatch(/Kind: +Gadget/);
    const widget =
      "apiVersion: conf.capstan.test/v1\nkind: Widget\nmetadata: {name: w, namespace: shop}\nspec: {size: S}\n";
    const file = session.file("widget.yaml", widget);
    expect(await kubectl("apply", "-f", file)).toContain("widget.conf.capstan.test/w created");
    expect(await kubectl("apply", "-f", file)).toContain("unchanged");
    session.file("widget.yaml", widget.replace("size: S", "size: L"));
    expect((await session.attempt("diff", "-f", file)).stdout).toMatch(/^-\s+size: S\n\+\s+size: L$/m);
    expect(await kubectl("apply", "-f", file)).toContain("configured");
    expect(await kubectl("apply", "--server-side", "-f", file)).toContain("serverside-applied");
    await inShop("scale", "widget", "w", "--replicas=3");
    await inShop(
      "patch",
      "wd",
      "w",
      "--type=merge",
      "--subresource=status",
      "-p",
      '{"status":{"phase":"Up","conditions":[{"type":"Ready","status":"True"}]}}',
    );
    await inShop("wait", "wd/w", "--for=condition=Ready", "--timeout=5s");
    await inShop("wait", "wd/w", "--for=jsonpath={.status.phase}=Up", "--timeout=5s");
    expect(await kubectl("get", "wd", "-A")).toMatch(
      /^NAMESPACE +NAME +SIZE +REPLICAS +READY +AGE\nshop +w +L +3 +True +\d+s$/m,
    );
    expect(await inShop("get", "confall", "-o", "name")).toBe("widget.conf.capstan.test/w\n");
    expect((await session.attempt("-n", "shop", "patch", "wd", "w", "-p", "{}")).stderr).toContain(
      "strategic-merge-patch+json is not supported",
    );
    expect(
      (await session.attempt("-n", "shop", "patch", "wd", "w", "--type=merge", "-p", '{"spec":{"size":"X"}}')).stderr,
    ).toContain('supported values: "S", "M", "L"');
    expect(await inShop("describe", "wd", "w")).toMatch(/Size: +L/);
    expect(await inShop("delete", "wd", "--all", "--timeout=10s")).toContain('"w" deleted');
  });

  it("explains custom resources", async () => {
    expect(await kubectl("explain", "gadget.spec.a")).toContain("FIELD: a <string>");
    expect(await kubectl("explain", "widget.spec", "--recursive")).toMatch(/ports\t<\[\]Object>/);
    expect(await kubectl("explain", "widget")).toMatch(/metadata\t<ObjectMeta>/);
    await kubectl("delete", "crd", "gadgets.conf.capstan.test", "--timeout=10s");
    expect((await session.attempt("get", "gadgets")).stderr).toContain("could not find the requested resource");
  });
});
