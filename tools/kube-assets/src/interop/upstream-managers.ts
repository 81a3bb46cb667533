import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createCertificateAuthority, issueCertificate, parseKubeconfig } from "@capstan/pki";
import { systemClock } from "@capstan/runtime";
import { freePort } from "@capstan/testing";
import { moduleFolder } from "../go.ts";
import { clusterApi } from "../targets.ts";
import { type Component, renderComponent, type WebhookAddress } from "./components.ts";
import type { Kubectl } from "./kubectl.ts";
import { startManager } from "./manager.ts";
import type { RunningManager } from "./process.ts";

const address = "127.0.0.1";

export interface UpstreamOptions {
  readonly components: readonly Component[];
  /** Folder with the managers. */
  readonly capiAssets: string;
  readonly kubectl: Kubectl;
  /** Kubeconfig of an administrator. */
  readonly kubeconfig: string;
  /** For logs, certificates and tokens. */
  readonly folder: string;
  /** Arguments after upstream's defaults. */
  readonly args?: readonly string[];
}

/** A manager of upstream's, where it says how it is. */
export interface UpstreamManager extends RunningManager {
  /** Where its Lease is. */
  readonly namespace: string;
  /** `host:port` of the metrics. */
  readonly diagnostics: string;
  /** `host:port` of `/readyz`. */
  readonly health: string;
}

/** A serving certificate for webhooks, as files in `folder`; the authority that signed it, PEM in base64. */
const webhookCertificate = async (folder: string): Promise<string> => {
  const authority = await createCertificateAuthority({ now: systemClock.now() });
  const serving = await issueCertificate(authority, {
    now: systemClock.now(),
    commonName: "webhooks",
    usages: ["server"],
    hosts: [address],
  });
  mkdirSync(folder);
  writeFileSync(join(folder, "tls.crt"), serving.certificate);
  writeFileSync(join(folder, "tls.key"), serving.key);
  return Buffer.from(authority.certificate).toString("base64");
};

/**
 * Installs components of upstream's and starts their managers, each as in a Pod under its own account. They need not be ready yet.
 * `started` is called with each at once, so that none is left behind when a later one fails.
 */
export const startUpstreamManagers = async (
  options: UpstreamOptions,
  started: (manager: UpstreamManager) => void,
): Promise<void> => {
  const { kubectl, folder } = options;
  const module = await moduleFolder(clusterApi);
  const certificates = join(folder, "webhooks");
  const caBundle = await webhookCertificate(certificates);
  for (const component of options.components) {
    const [port, health, diagnostics] = [await freePort(), await freePort(), await freePort()];
    const webhooks: WebhookAddress = { url: `https://${address}:${port}`, caBundle };
    const manifests = await renderComponent(component, { kubectl: kubectl.program, moduleFolder: module, webhooks });
    await kubectl.apply(manifests.objects);
    const { namespace, serviceAccount } = manifests;
    const account = ["--namespace", namespace, serviceAccount];
    const token = (await kubectl.run(["create", "token", "--duration", "24h", ...account])).trim();
    const config = parseKubeconfig(options.kubeconfig);
    const manager = startManager({
      name: component.program,
      program: join(options.capiAssets, component.program),
      folder,
      pod: { namespace, token, serverUrl: config.server, caCertificate: config.certificateAuthority ?? "" },
      args: [
        ...manifests.args,
        `--diagnostics-address=${address}:${diagnostics}`,
        `--health-addr=${address}:${health}`,
        `--webhook-port=${port}`,
        `--webhook-cert-dir=${certificates}`,
        ...(options.args ?? []),
      ],
    });
    started(
      Object.assign(manager, {
        namespace,
        diagnostics: `${address}:${diagnostics}`,
        health: `${address}:${health}`,
      }),
    );
  }
};
