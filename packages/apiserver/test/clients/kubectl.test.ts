import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ApiServer } from "../../src/index.ts";
import { gadgetCrd } from "../conformance/crds.ts";
import { startServer } from "../embedded-server.ts";

const binary = ["/usr/bin/kubectl", "/usr/local/bin/kubectl"].find((path) => existsSync(path));
const run = promisify(execFile);

const deployment = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: "nginx:1", ports: [{containerPort: 80}]}]}
`;

/** The real command, with only our kubeconfig. */
describe.skipIf(binary === undefined)("kubectl", () => {
  let server: ApiServer;
  let directory: string;

  const kubectl = async (...words: readonly string[]): Promise<string> => {
    const { stdout } = await run(binary as string, words, {
      env: { KUBECONFIG: join(directory, "kubeconfig"), HOME: directory, PATH: "/usr/bin:/bin" },
    });
    return stdout;
  };
  const manifest = (name: string, content: string): string => {
    const file = join(directory, name);
    writeFileSync(file, content);
    return file;
  };

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), "capstan-kubectl-"));
    server = await startServer();
    manifest("kubeconfig", await server.adminKubeconfig());
    await kubectl("create", "namespace", "shop");
  });

  afterAll(async () => {
    await server.stop();
    rmSync(directory, { recursive: true });
  });

  it("creates with protobuf bodies and prints tables", async () => {
    await kubectl("create", "configmap", "a", "-n", "shop", "--from-literal=x=1");
    await kubectl("create", "secret", "generic", "s", "-n", "shop", "--from-literal=k=v");
    expect(await kubectl("get", "configmaps", "-n", "shop")).toMatch(/^NAME +DATA +AGE\na +1 +\d+s$/m);
    expect(await kubectl("get", "secret", "s", "-n", "shop", "-o", "jsonpath={.data.k}")).toBe("dg==");
  });

  it("applies, applies again, describes and scales", async () => {
    const file = manifest("deployment.yaml", deployment);
    expect(await kubectl("apply", "-f", file)).toContain("deployment.apps/web created");
    expect(await kubectl("apply", "-f", file)).toContain("deployment.apps/web unchanged");
    manifest("deployment.yaml", deployment.replace("nginx:1", "nginx:2"));
    expect(await kubectl("apply", "-f", file)).toContain("deployment.apps/web configured");
    expect(await kubectl("describe", "deployment", "web", "-n", "shop")).toMatch(/Image: +nginx:2/);
    await kubectl("scale", "deployment", "web", "-n", "shop", "--replicas=5");
    expect(await kubectl("get", "deploy", "web", "-n", "shop")).toMatch(/^web +0\/5/m);
    expect(await kubectl("apply", "--server-side", "--force-conflicts", "-f", file)).toContain("serverside-applied");
  });

  it("refuses an unknown field in a manifest", async () => {
    const file = manifest("wrong.yaml", deployment.replace("replicas: 2", "replica: 2"));
    await expect(kubectl("apply", "-f", file)).rejects.toThrow('unknown field "spec.replica"');
  });

  it("patches, labels, waits and deletes", async () => {
    await kubectl("create", "configmap", "b", "-n", "shop");
    await kubectl("patch", "configmap", "b", "-n", "shop", "-p", '{"data":{"y":"2"}}');
    await kubectl("label", "configmap", "b", "-n", "shop", "tier=back");
    await kubectl("wait", "configmap/b", "-n", "shop", "--for=jsonpath={.data.y}=2", "--timeout=10s");
    const deleted = kubectl("wait", "configmap/b", "-n", "shop", "--for=delete", "--timeout=10s");
    expect(await kubectl("delete", "configmap", "-n", "shop", "-l", "tier=back")).toContain('"b" deleted');
    await deleted;
    expect(await kubectl("get", "configmap", "-n", "shop", "-o", "name")).not.toContain("configmap/b");
  });

  it("explains fields and reviews rights", async () => {
    expect(await kubectl("explain", "deployment.spec.replicas")).toContain("FIELD: replicas <integer>");
    expect(await kubectl("auth", "whoami")).toContain("kubernetes-admin");
    await kubectl("create", "serviceaccount", "robot", "-n", "shop");
    expect((await kubectl("create", "token", "robot", "-n", "shop")).split(".")).toHaveLength(3);
    await kubectl("create", "clusterrole", "reader", "--verb=get", "--resource=configmaps");
    await kubectl("create", "rolebinding", "r", "-n", "shop", "--clusterrole=reader", "--user=alice");
    expect(await kubectl("auth", "can-i", "get", "configmaps", "-n", "shop", "--as", "alice")).toBe("yes\n");
  });

  it("works with custom resources", async () => {
    await kubectl("apply", "-f", manifest("crd.json", JSON.stringify(gadgetCrd)));
    await kubectl("wait", "crd/gadgets.conf.capstan.test", "--for=condition=Established", "--timeout=10s");
    const object = manifest(
      "gadget.yaml",
      "apiVersion: conf.capstan.test/v1\nkind: Gadget\nmetadata: {name: g}\nspec: {a: x}\n",
    );
    expect(await kubectl("apply", "-f", object)).toContain("gadget.conf.capstan.test/g created");
    expect(await kubectl("apply", "-f", object)).toContain("unchanged");
    expect(await kubectl("get", "gadgets")).toMatch(/^NAME +AGE\ng +\d+s$/m);
    expect(await kubectl("explain", "gadget.spec.a")).toContain("FIELD: a <string>");
  });
});
