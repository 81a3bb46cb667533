import { boolean, list, map, object, optional, string, text } from "@capstan/schema";
import { texts } from "./generation.ts";
import type { Generation } from "./generation.ts";

const clusterOfKubeconfig = (generation: Generation) =>
  object(
    {
      server: optional(text(512, "URL of the API server; the Cluster's endpoint when unset.")),
      tlsServerName: optional(text(512, "Name expected in the server's certificate.")),
      insecureSkipTLSVerify: optional(boolean({ description: "Whether the server's certificate is not checked." })),
      certificateAuthorityData: optional(
        string({
          description: "CA certificates in PEM; the Cluster's when unset.",
          format: "byte",
          minLength: 1,
          maxLength: 51_200,
        }),
      ),
      proxyURL: optional(text(512, "Proxy to use.")),
    },
    { description: "The cluster of the kubeconfig.", ...generation.object },
  );

const userOfKubeconfig = (generation: Generation) =>
  object(
    {
      authProvider: optional(
        object(
          {
            name: text(256, "Name of the provider."),
            config: optional(
              map(string({ description: "Value of the setting." }), { description: "Settings of the provider." }),
            ),
          },
          { description: "An authentication provider." },
        ),
      ),
      exec: optional(
        object(
          {
            command: text(1024, "Program to run."),
            args: optional(
              texts("Arguments of the program.", "An argument.", { maxItems: 100, maxLength: 512, ...generation.list }),
            ),
            env: optional(
              list(
                object(
                  { name: text(512, "Name of the variable."), value: text(512, "Its value.") },
                  { description: "One variable." },
                ),
                { description: "Environment variables of the program.", maxItems: 100, ...generation.list },
              ),
            ),
            apiVersion: optional(
              text(512, "Version of the program's input and output; client.authentication.k8s.io/v1 when unset."),
            ),
            provideClusterInfo: optional(
              boolean({ description: "Whether the program receives what is known of the cluster." }),
            ),
          },
          { description: "A program that yields credentials." },
        ),
      ),
    },
    { description: "The user of the kubeconfig.", ...generation.object },
  );

/** Fields of `joinConfiguration.discovery` that all versions have. */
export const discoveryFields = (generation: Generation) => ({
  bootstrapToken: optional(
    object(
      {
        token: optional(text(512, "The token; made by the controller when unset.")),
        apiServerEndpoint: optional(text(512, "Address and port to ask; the Cluster's endpoint when unset.")),
        caCertHashes: optional(
          texts("Hashes of the public keys of accepted CAs; the Cluster's when unset.", "sha256:<hex>.", {
            maxItems: 100,
            maxLength: 512,
            ...generation.list,
          }),
        ),
        unsafeSkipCAVerification: optional(boolean({ description: "Whether any CA is accepted." })),
      },
      { description: "Discovery with a token.", ...generation.object },
    ),
  ),
  file: optional(
    object(
      {
        kubeConfigPath: text(512, "Path or URL of a kubeconfig."),
        kubeConfig: optional(
          object(
            { cluster: optional(clusterOfKubeconfig(generation)), user: userOfKubeconfig(generation) },
            { description: "What the controller writes to that path." },
          ),
        ),
      },
      { description: "Discovery with a kubeconfig." },
    ),
  ),
  tlsBootstrapToken: optional(text(512, "Token for the certificate request; the discovery token when unset.")),
});
