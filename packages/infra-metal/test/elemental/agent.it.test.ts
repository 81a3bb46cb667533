import { conditionOf, SecretResource } from "@capstan/contract/wire";
import { bootstrapSentinel } from "@capstan/contract";
import { toBase64 } from "@capstan/kube-values";
import { gunzipSync, zstdCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ElementalHost } from "../../src/elemental/api/elemental-host.v1beta1.ts";
import { HostAnnotation, HostLabel } from "../../src/elemental/api/names.ts";
import { agentConfigPath } from "../../src/elemental/agent/agent-config.ts";
import { type BundleRegistry, part, signBundle, startRegistry } from "./bundle-registry.ts";
import { ElementalWorld, type TestHost } from "./elemental-world.ts";

let world: ElementalWorld;
let registry: BundleRegistry;

beforeAll(async () => {
  world = await ElementalWorld.start();
  registry = await startRegistry();
});
afterAll(async () => {
  await registry.stop();
  await world.stop();
});

const condition = (host: ElementalHost | undefined, type: string) =>
  host === undefined ? undefined : conditionOf(host, type, "v1beta1");

/** Has a host that is registered and installed. */
const installedHost = async (name: string, registration = `of-${name}`): Promise<TestHost> => {
  const host = world.hostOf(
    await world.register(registration, {
      hostLabels: { site: "north" },
      config: {
        elemental: { agent: { hostname: { useExisting: true }, osPlugin: "", reconciliation: 1e9, workDir: "/agent" } },
      },
    }),
    name,
  );
  expect(await host.command("register")).toBe("done");
  expect(await host.command("install")).toBe("done");
  return host;
};

const patchHost = (name: string, body: object) =>
  world.environment.client.patch(ElementalHost, world.key(name), { type: "merge", body: body as never });

describe("the agent of a host", () => {
  it("registers over TLS, and installs", async () => {
    const host = await installedHost("alpha");
    const object = await world.host("alpha");
    expect(object?.metadata.labels).toEqual({ site: "north", [HostLabel.installed]: "true" });
    expect(object?.metadata.annotations).toMatchObject({
      [HostAnnotation.registrationName]: "of-alpha",
      [HostAnnotation.registrationNamespace]: world.namespace,
    });
    expect(object?.spec?.pubKey).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    expect(condition(object, "InstallationReady")?.status).toBe("True");
    expect(host.read("/etc/hostname")).toBe("alpha\n");
    // Again is nothing new.
    expect(await host.command("register")).toBe("done");
    expect(await host.command("install")).toBe("done");
  });

  it("takes its name and its folder from the registration where its own file says otherwise", async () => {
    const registration = await world.register("renamed", {
      config: {
        elemental: {
          agent: {
            hostname: { useExisting: true, prefix: "rack-" },
            osPlugin: "",
            reconciliation: 1e9,
            workDir: "/told",
          },
        },
      },
    });
    const host = world.hostOf(registration, "delta");
    const { registration: settings } = registration.spec?.config?.elemental ?? {};
    host.write(
      agentConfigPath,
      JSON.stringify({ registration: settings, agent: { workDir: "/own", reconciliation: 1e9 } }),
    );
    expect(await host.command("register")).toBe("done");
    expect((await world.host("rack-delta"))?.spec?.pubKey).toMatch(/^-----BEGIN PUBLIC KEY-----/);
    expect(host.read("/etc/hostname")).toBe("rack-delta\n");
    expect(host.read("/told/private.key")).toBe(host.read("/own/private.key"));
    expect(await host.command("install")).toBe("done");
    expect((await world.host("rack-delta"))?.metadata.labels).toMatchObject({ [HostLabel.installed]: "true" });
    expect(await host.command("register"), "again").toBe("done");
  });

  it("installs components before it bootstraps", async () => {
    const host = await installedHost("beta");
    const { layout } = registry;
    const script =
      'echo "$CAPSTAN_ACTION $CAPSTAN_ROLE $CAPSTAN_KUBERNETES_VERSION $CAPSTAN_OS_ID $CAPSTAN_ARCH $FLAVOUR $(cat data/file)" > ../../../installed';
    const digest = layout.add({
      repository: "bundles/k3s",
      tag: "1.0",
      parts: [
        part("exit 7", { osIds: ["debian"] }),
        part(script, { osIds: ["suse"], files: { "data/file": { content: "inside" } } }),
      ],
    });
    const components = {
      image: `${registry.host}/bundles/k3s:1.0`,
      digest,
      delivery: "served",
      role: "worker",
      kubernetesVersion: "v1.35.4+k3s1",
      env: { FLAVOUR: "plain" },
    };
    await patchHost("beta", { spec: { components } });
    await host.runUntil(async () => (await world.host("beta"))?.status?.components?.installed === digest);
    expect(host.read("/installed")).toBe("install worker v1.35.4+k3s1 sl-micro amd64 plain inside\n");
    await world.environment.client.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: world.key("beta-bootstrap"),
      data: { value: Buffer.from("#cloud-config\n").toString("base64") },
    });
    await patchHost("beta", { spec: { bootstrapSecret: { name: "beta-bootstrap" } } });
    expect(await host.command("run")).toBe("reboot");
    expect(host.reboots).toBe(1);
    expect(host.read("/etc/cloud/cloud.cfg.d/elemental-capi-bootstrap.cfg")).toBe("#cloud-config\n");
    await host.runUntil(
      async () => condition(await world.host("beta"), "BootstrapReady")?.reason === "WaitingForBootstrap",
    );
    host.write(bootstrapSentinel, "");
    await host.runUntil(async () => (await world.host("beta"))?.metadata.labels?.[HostLabel.bootstrapped] === "true");
    const object = await world.host("beta");
    expect(condition(object, "ComponentsReady")?.status).toBe("True");
    expect(condition(object, "Ready")?.status).toBe("True");
  });

  it("is reset when its object is deleted, and registers again", async () => {
    const host = await installedHost("gamma");
    await world.environment.client.delete(ElementalHost, world.key("gamma"));
    expect(await host.command("run")).toBe("reboot");
    expect(host.read("/agent/needs.reset")).toBe("");
    const before = (await world.host("gamma"))?.metadata.uid;
    expect(await host.command("reset")).toBe("done");
    await world.environment.eventually(ElementalHost, world.key("gamma"), (object) => object === undefined);
    expect(await host.command("register")).toBe("done");
    const after = await world.host("gamma");
    expect(after?.metadata.uid).not.toBe(before);
  });

  it("is not waited for when an administrator says that it will never reset its host", async () => {
    await installedHost("dead");
    await world.environment.client.delete(ElementalHost, world.key("dead"));
    await world.environment.eventually<ElementalHost>(
      ElementalHost,
      world.key("dead"),
      (object) => object !== undefined && condition(object, "Ready")?.reason === "WaitingForReset",
    );
    expect((await world.host("dead"))?.metadata.labels?.[HostLabel.needsReset]).toBe("true");
    await patchHost("dead", { metadata: { annotations: { [HostAnnotation.forceRelease]: "true" } } });
    await world.environment.eventually(ElementalHost, world.key("dead"), (object) => object === undefined);
  });
});

describe("a bundle on a host that runs", () => {
  const tell = 'echo "$CAPSTAN_ACTION $CAPSTAN_PREVIOUS_DIGEST" >> ../../../upgrades';
  const bundle = (tag: string): string =>
    registry.layout.add({ repository: "bundles/upgraded", tag, parts: [part(`# ${tag}\n${tell}`)] });

  it("is replaced by another one in place, once its host says so", async () => {
    const host = await installedHost("upgraded");
    const [before, after] = [bundle("1.0"), bundle("2.0")];
    const order = (digest: string, more: object = {}) =>
      patchHost("upgraded", {
        spec: {
          components: { image: `${registry.host}/bundles/upgraded:1.0`, digest, delivery: "served", role: "worker" },
        },
        ...more,
      });
    await order(before, {
      metadata: { labels: { [HostLabel.bootstrapped]: "true", [HostLabel.inPlaceUpdate]: "pending" } },
    });
    const installed = async () => (await world.host("upgraded"))?.status?.components?.installed;
    const inPlaceUpdate = async () => (await world.host("upgraded"))?.metadata.labels?.[HostLabel.inPlaceUpdate];
    await host.runUntil(async () => (await inPlaceUpdate()) === "done");
    expect(await installed()).toBe(before);

    await order(after);
    await host.runUntil(
      async () => condition(await world.host("upgraded"), "ComponentsReady")?.reason === "InPlaceUpdateNotPending",
    );
    expect(condition(await world.host("upgraded"), "ComponentsReady")?.message).toContain(HostLabel.inPlaceUpdate);
    expect(host.read("/upgrades")).toBe("install \n");
    expect(await installed()).toBe(before);

    await patchHost("upgraded", { metadata: { labels: { [HostLabel.inPlaceUpdate]: "pending" } } });
    await host.runUntil(async () => (await inPlaceUpdate()) === "done");
    expect(await installed()).toBe(after);
    expect(host.read("/upgrades")).toBe(`install \nupgrade ${before}\n`);
    expect(condition(await world.host("upgraded"), "ComponentsReady")?.status).toBe("True");
  });
});

describe("a bundle that is not as it must be", () => {
  const ordered = async (name: string, more: object): Promise<TestHost> => {
    const host = await installedHost(name);
    const components = { image: `${registry.host}/bundles/${name}:1.0`, delivery: "served", role: "worker", ...more };
    await patchHost(name, { spec: { components } });
    return host;
  };
  const faults = async (name: string, more: object, reason: string): Promise<string> => {
    const host = await ordered(name, more);
    await host.runUntil(async () => condition(await world.host(name), "ComponentsReady")?.reason === reason);
    const said = condition(await world.host(name), "ComponentsReady");
    expect(said?.status).toBe("False");
    return said?.message ?? "";
  };
  const bundle = (name: string, script = "exit 0", more = {}): string =>
    registry.layout.add({ repository: `bundles/${name}`, tag: "1.0", parts: [part(`# ${name}\n${script}`, more)] });

  it("is refused when its archive was changed", async () => {
    const digest = bundle("changed");
    const [[archive] = [""]] = [...registry.layout.blobs]
      .filter(([, { mediaType }]) => mediaType.endsWith("gzip"))
      .slice(-1);
    registry.tampered.set(archive, Buffer.alloc(registry.layout.blobs.get(archive)?.bytes.length ?? 0));
    expect(await faults("changed", { digest, delivery: "pull" }, "VerificationFailed")).toContain(archive);
  });

  it("is refused when nobody has signed it, or somebody else", async () => {
    const digest = bundle("unsigned");
    const other = bundle("other");
    const key = signBundle(registry.layout, { digest: other, repository: "bundles/other" });
    const signature = { required: true, publicKeys: [key] };
    expect(await faults("unsigned", { digest, signature }, "VerificationFailed")).toContain("it has no signature");
    signBundle(registry.layout, { digest: other, repository: "bundles/other" });
    const message = await faults("other", { digest: other, signature: { publicKeys: [key] } }, "VerificationFailed");
    expect(message).toContain("none of its 1 signatures is by a key of spec.components.signature.publicKeys");
  });

  it.each(["ec", "ed25519"] as const)("is accepted with a signature of %s", async (type) => {
    const name = `signed-${type}`;
    const digest = bundle(name);
    const key = signBundle(registry.layout, { digest, repository: `bundles/${name}`, type });
    const host = await ordered(name, { digest, signature: { required: true, publicKeys: [key] } });
    await host.runUntil(async () => (await world.host(name))?.status?.components?.installed === digest);
    expect(condition(await world.host(name), "ComponentsReady")?.status).toBe("True");
  });

  it.each(["is packed by zstd", "is packed by zstd and was cut off"])("of which the archive %s", async (how) => {
    const isWhole = how.endsWith("zstd");
    const name = isWhole ? "zstd" : "cut";
    bundle(name, `echo ${name} > ../../../unpacked-${name}`);
    const blobs = [...registry.layout.blobs.values()].filter(({ mediaType }) => mediaType.endsWith("gzip"));
    const packed = zstdCompressSync(gunzipSync(blobs.at(-1)?.bytes ?? ""));
    const archive = isWhole ? packed : packed.subarray(0, packed.length / 2);
    const layer = registry.layout.put("application/vnd.oci.image.layer.v1.tar+zstd", archive);
    const digest = registry.layout.addManifest({ repository: `bundles/${name}`, tag: "1.0" }, [layer]);
    if (!isWhole) {
      expect(await faults(name, { digest }, "VerificationFailed")).toContain("its archive is not unpacked");
      return;
    }
    const host = await ordered(name, { digest });
    await host.runUntil(async () => (await world.host(name))?.status?.components?.installed === digest);
    expect(host.read("/unpacked-zstd")).toBe("zstd\n");
  });

  it("is refused on a platform that it is not for", async () => {
    const digest = bundle("elsewhere", "exit 0", { architecture: "s390x", osIds: ["rhel"] });
    const message = await faults("elsewhere", { digest }, "UnsupportedPlatform");
    expect(message).toContain("nothing for linux/amd64 with sl-micro, suse; it is for linux/s390x rhel");
  });

  it("says how install.sh failed", async () => {
    const digest = bundle("broken", "echo no space left; exit 3");
    const message = await faults("broken", { digest }, "InstallFailed");
    expect(message).toContain("install.sh ended with status 3; the end of its output: no space left");
  });

  it("says which Secret with variables does not exist, and is installed once it does", async () => {
    const digest = bundle("secret", 'echo "$FLAVOUR $SIZE" > ../../../variables');
    const more = { digest, env: { SIZE: "large" }, envFrom: [{ secretRef: { name: "flavours" } }] };
    const host = await ordered("secret", more);
    await host.runUntil(
      async () => condition(await world.host("secret"), "ComponentsReady")?.reason === "DownloadFailed",
    );
    expect(condition(await world.host("secret"), "ComponentsReady")?.message).toContain(
      `Secret ${world.namespace}/flavours of spec.components.envFrom does not exist; create it`,
    );
    await world.environment.client.create(SecretResource, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: world.key("flavours"),
      data: { FLAVOUR: toBase64("plain"), SIZE: toBase64("small") },
    });
    await host.runUntil(async () => (await world.host("secret"))?.status?.components?.installed === digest);
    expect(host.read("/variables")).toBe("plain large\n");
  });

  it("says that the registry has it not", async () => {
    const message = await faults("absent", { digest: `sha256:${"0".repeat(64)}` }, "DownloadFailed");
    expect(message).toContain(`has no manifest sha256:${"0".repeat(64)}`);
  });
});
