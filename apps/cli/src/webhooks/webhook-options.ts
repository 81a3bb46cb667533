import type { WebhookEndpoint } from "@capstan/runtime/webhook";

/** Where a manager's webhooks are, and where it listens. */
export interface WebhookOptions {
  readonly endpoint: WebhookEndpoint;
  readonly host: string | undefined;
  readonly port: number;
}

/** Flags for webhooks. */
export interface WebhookFlags {
  readonly webhookUrl?: string | undefined;
  readonly webhookService?: string | undefined;
  readonly webhookPort?: number | undefined;
}

const defaultPort = 9443;

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || host.startsWith("127.");

/** The host of an address, without brackets. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

/** `undefined` without webhooks. With an address of the loopback, no one else can reach them. */
export const webhookOptions = (
  { webhookUrl, webhookService, webhookPort }: WebhookFlags,
  systemNamespace: string,
): WebhookOptions | undefined => {
  if (webhookUrl !== undefined) {
    const host = hostOf(webhookUrl);
    const port = webhookPort ?? (Number(new URL(webhookUrl).port) || defaultPort);
    return { endpoint: { url: webhookUrl }, host: isLoopback(host) ? host : undefined, port };
  }
  if (webhookService === undefined) return undefined;
  const endpoint = { service: { namespace: systemNamespace, name: webhookService } };
  return { endpoint, host: undefined, port: webhookPort ?? defaultPort };
};
