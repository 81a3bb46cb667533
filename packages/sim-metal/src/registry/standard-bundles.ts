import type { BundleContents, BundlePart } from "./oci-layout.ts";

const installScript = `#!/bin/sh
set -e
mkdir -p /etc/sysctl.d /etc/rancher
cp etc/90-kubelet.conf /etc/sysctl.d/90-kubelet.conf
cp etc/registries.yaml /etc/rancher/registries.yaml
echo "$CAPSTAN_BUNDLE_DIGEST" > /etc/rancher/node-bundle
echo "$CAPSTAN_ACTION of the node bundle for $CAPSTAN_ROLE on $CAPSTAN_OS_ID $CAPSTAN_ARCH"
`;

const node = (architecture: string): BundlePart => ({
  architecture,
  osIds: ["sl-micro", "suse", "debian", "rhel"],
  files: {
    "install.sh": { content: installScript, mode: 0o755 },
    "etc/90-kubelet.conf": { content: "vm.overcommit_memory=1\nvm.panic_on_oom=0\nkernel.panic=10\n" },
    "etc/registries.yaml": { content: "mirrors: {}\n" },
  },
});

/** Default bundles of a rack's registry: node settings for amd64 and arm64, on every usual operating system. */
export const standardBundles: readonly BundleContents[] = [
  { repository: "bundles/node", tag: "1.0", parts: [node("amd64"), node("arm64")] },
];
