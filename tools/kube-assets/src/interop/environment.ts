import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createApiServer } from "@capstan/apiserver";
import { Secret } from "@capstan/contract";
import type { ProviderV1 } from "@capstan/contract/v1";
import { type Client, connect, createCache, createClient } from "@capstan/kube";
import { createCertificateAuthority, issueCertificate, parseKubeconfig } from "@capstan/pki";
import { createLogger, createManager, cryptoRandom, systemClock } from "@capstan/runtime";
import { crdOf, isKind, type KubeObject } from "@capstan/schema";
import { startKubeApiserver } from "@capstan/testing/kube-apiserver";
import { stringify } from "yaml";
import { components, renderComponent, type WebhookAddress } from "./components.ts";
import { type RunningManager, startManager } from "./manager.ts";

export const address = "127.0.0.1";

/** An API server to run managers on. */
export interface Server {
  readonly kubeconfig: string;
  stop(): Promise<void>;
}

/** Capstan's own. */
export const startCapstanServer = async (): Promise<Server> => {
  const server = createApiServer({
    clock: systemClock,
    random: cryptoRandom,
    log: createLogger({ level: "warn", format: "text" }),
  });
  await server.start();
  return { kubeconfig: await server.adminKubeconfig(), stop: () => server.stop() };
};

/** Kubernetes' own, as a reference. */
export const startReferenceServer = (assets: string): Promise<Server> => startKubeApiserver({ assets });

export const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, address, () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

export interface InteropOptions {
  readonly start: () => Promise<Server>;
  /** Folder with kubectl. */
  readonly kubeAssets: string;
  /** Folder with the managers. */
  readonly capiAssets: string;
  /** The module sigs.k8s.io/cluster-api. */
  readonly moduleFolder: string;
  /** Runs in a manager of ours, beside upstream's. */
  readonly provider: ProviderV1;
}

/** Upstream's managers and a provider of ours on one API server. */
export class InteropEnvironment {
  readonly client: Client;
  readonly managers: RunningManager[] = [];
  readonly #options: InteropOptions;
  readonly #kubeconfig: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "capstan-interop-"));
  readonly #cleanups: (() => Promise<unknown>)[] = [];
  readonly #connection: ReturnType<typeof connect>;

  private constructor(options: InteropOptions, server: Server) {
    this.#options = options;
    this.#kubeconfig = server.kubeconfig;
    this.#cleanups.push(
      async () => rmSync(this.#folder, { recursive: true, force: true }),
      () => server.stop(),
    );
    writeFileSync(join(this.#folder, "kubeconfig"), server.kubeconfig, { mode: 0o600 });
    const config = parseKubeconfig(server.kubeconfig);
    this.#connection = connect({
      clock: systemClock,
      url: config.server,
      ca: config.certificateAuthority ?? "",
      clientCertificate: config.clientCertificate ?? "",
      clientKey: new Secret(config.clientKey ?? ""),
    });
    this.#cleanups.push(() => this.#connection.close());
    this.client = createClient(this.#connection);
  }

  /** Resolves when everything is installed and started; upstream's managers need not be ready yet. */
  static async start(options: InteropOptions): Promise<InteropEnvironment> {
    const environment = new InteropEnvironment(options, await options.start());
    try {
      await environment.#startManagers();
      await environment.#startProvider();
      return environment;
    } catch (error) {
      await environment.stop();
      throw error;
    }
  }

  async stop(): Promise<void> {
    for (const cleanup of this.#cleanups.toReversed()) await cleanup();
  }

  /** Runs kubectl as the administrator; its output. */
  async kubectl(args: readonly string[], input = ""): Promise<string> {
    const child = spawn(join(this.#options.kubeAssets, "kubectl"), args, {
      env: { KUBECONFIG: join(this.#folder, "kubeconfig"), HOME: this.#folder },
    });
    const texts: Record<"stdout" | "stderr", string> = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) child[name].on("data", (chunk: Buffer) => (texts[name] += chunk));
    child.stdin.end(input);
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")} failed:\n${texts.stderr}`);
    return texts.stdout;
  }

  async apply(objects: readonly KubeObject[]): Promise<void> {
    await this.kubectl(["apply", "--server-side", "-f", "-"], objects.map((object) => stringify(object)).join("---\n"));
  }

  async #startManagers(): Promise<void> {
    const authority = await createCertificateAuthority({ now: systemClock.now() });
    const serving = await issueCertificate(authority, {
      now: systemClock.now(),
      commonName: "webhooks",
      usages: ["server"],
      hosts: [address],
    });
    const certificates = join(this.#folder, "webhooks");
    mkdirSync(certificates);
    writeFileSync(join(certificates, "tls.crt"), serving.certificate);
    writeFileSync(join(certificates, "tls.key"), serving.key);
    const caBundle = Buffer.from(authority.certificate).toString("base64");
    for (const component of components) {
      const [webhooks, health, diagnostics] = [await freePort(), await freePort(), await freePort()];
      const hooks: WebhookAddress = { url: `https://${address}:${webhooks}`, caBundle };
      const kubectl = join(this.#options.kubeAssets, "kubectl");
      const { moduleFolder } = this.#options;
      const manifests = await renderComponent(component, { kubectl, moduleFolder, webhooks: hooks });
      await this.apply(manifests.objects);
      const { namespace, serviceAccount } = manifests;
      const token = (await this.kubectl(["create", "token", "--namespace", namespace, serviceAccount])).trim();
      const config = parseKubeconfig(this.#kubeconfig);
      const manager = startManager({
        name: component.program,
        program: join(this.#options.capiAssets, component.program),
        folder: this.#folder,
        pod: { namespace, token, serverUrl: config.server, caCertificate: config.certificateAuthority ?? "" },
        args: [
          ...manifests.args,
          `--diagnostics-address=${address}:${diagnostics}`,
          `--health-addr=${address}:${health}`,
          `--webhook-port=${webhooks}`,
          `--webhook-cert-dir=${certificates}`,
        ],
      });
      this.managers.push(manager);
      this.#cleanups.push(() => manager.stop());
    }
  }

  async #startProvider(): Promise<void> {
    const { provider } = this.#options;
    await this.apply(provider.kinds.flatMap((kind) => (isKind(kind) ? [crdOf(kind) as unknown as KubeObject] : [])));
    const cache = createCache({ connection: this.#connection, random: cryptoRandom });
    const client = createClient(this.#connection, { observer: cache });
    const manager = createManager({ client, cache, clock: systemClock, random: cryptoRandom });
    provider.register({ add: (controller) => manager.add(controller) });
    const end = new AbortController();
    const run = manager.run({ signal: end.signal });
    run.catch(() => undefined);
    this.#cleanups.push(async () => {
      end.abort();
      await run.catch(() => undefined);
    });
    await Promise.race([manager.ready(), run]);
  }
}
