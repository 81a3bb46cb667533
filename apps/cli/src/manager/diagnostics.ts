import { hostname } from "node:os";
import { CapstanError, Secret, type Clock } from "@capstan/contract";
import { healthServer, tokenAccess, type HealthCheck, type Manager, type Runnable } from "@capstan/runtime";
import { certificateFiles, type ServingCertificate } from "@capstan/runtime/webhook";
import type { View } from "../view/view.ts";
import type { ManagerOptions } from "../cluster/manager-options.ts";

/** A certificate that lives as long as the process; who wants to verify it gives one with --tls-cert-file. */
const madeCertificate = async (host: string | undefined, clock: Clock): Promise<ServingCertificate> => {
  const { createCertificateAuthority, issueCertificate } = await import("@capstan/pki");
  const validity = { now: clock.now(), algorithm: "ECDSA-P256", validityDays: 3650 } as const;
  const authority = await createCertificateAuthority({ ...validity, commonName: "capstan-diagnostics" });
  const hosts = [...new Set(["localhost", "127.0.0.1", hostname(), ...(host === undefined ? [] : [host])])];
  const { certificate, key } = await issueCertificate(authority, {
    ...validity,
    commonName: "capstan-diagnostics",
    hosts,
    usages: ["server"],
  });
  return { certificate: `${certificate}${authority.certificate}`, key: new Secret(key) };
};

const certificateOf = (options: ManagerOptions, clock: Clock): (() => Promise<ServingCertificate>) => {
  const { tlsCertFile: certificate, tlsPrivateKeyFile: key } = options;
  if (certificate !== undefined && key !== undefined) return certificateFiles({ certificate, key });
  if (certificate === undefined && key === undefined) return () => madeCertificate(options.diagnostics?.host, clock);
  throw new CapstanError({
    code: "manager.flags_conflict",
    reason: "FlagsConflict",
    message: "--tls-cert-file and --tls-private-key-file belong together: set both, or neither",
    retry: { kind: "never" },
  });
};

const explained = (flag: string, address: string, error: unknown): unknown => {
  const code = (error as { readonly code?: string }).code ?? "";
  if (!["EADDRINUSE", "EADDRNOTAVAIL", "EACCES", "ENOTFOUND", "ENOENT"].includes(code)) return error;
  return new CapstanError({
    code: "manager.diagnostics_failed",
    reason: "DiagnosticsFailed",
    message: `${flag} ${address}: ${(error as Error).message}; choose another, or off`,
    retry: { kind: "never" },
    cause: error,
  });
};

const shownHost = (host: string | undefined): string =>
  host?.includes(":") === true ? `[${host}]` : (host ?? "0.0.0.0");

/** A server that says by which flag it listens where it cannot. */
const explaining = (server: Runnable, flag: string, address: string): Runnable => ({
  name: server.name,
  run: async (run) => {
    try {
      await server.run(run);
    } catch (error) {
      throw explained(flag, address, error);
    }
  },
});

/** Adds `/metrics`, `/healthz` and `/readyz` to a manager, as the flags say; it is ready when `ready` finds nothing wrong too. */
export const addDiagnostics = (
  manager: Manager,
  options: ManagerOptions,
  { view, ready }: { readonly view: View; readonly ready: Readonly<Record<string, HealthCheck>> },
): void => {
  const { diagnostics, insecureDiagnostics } = options;
  if (diagnostics === undefined) return;
  const { host, port } = diagnostics;
  const scheme = insecureDiagnostics ? "http" : "https";
  const shown = shownHost(host);
  const server = healthServer(manager, {
    ...(host !== undefined && { host }),
    port,
    ready,
    ...(!insecureDiagnostics && {
      certificate: certificateOf(options, manager.clock),
      access: tokenAccess(manager.client, manager.clock),
    }),
    listening: (bound) => {
      const url = `${scheme}://${shown}:${bound}`;
      view.say({ type: "diagnostics", text: `diagnostics at ${url}`, fields: { url } });
    },
  });
  manager.addRunnable(explaining(server, "--diagnostics-address", `${shown}:${port}`));
};

/** Adds `/healthz` and `/readyz` over HTTP, as probes of upstream's Deployments ask for them. */
export const addHealth = (
  manager: Manager,
  { health }: ManagerOptions,
  { view, ready }: { readonly view: View; readonly ready: Readonly<Record<string, HealthCheck>> },
): void => {
  if (health === undefined) return;
  const { host, port } = health;
  const shown = shownHost(host);
  const server = healthServer(manager, {
    ...(host !== undefined && { host }),
    port,
    ready,
    metrics: false,
    listening: (bound) => {
      const url = `http://${shown}:${bound}`;
      view.say({ type: "health", text: `health checks at ${url}`, fields: { url } });
    },
  });
  manager.addRunnable({ ...explaining(server, "--health-addr", `${shown}:${port}`), name: "health checks" });
};
