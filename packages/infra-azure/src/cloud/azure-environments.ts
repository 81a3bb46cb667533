/** Where a national cloud of Azure is. */
export interface AzureEnvironment {
  readonly resourceManager: string;
  readonly authority: string;
  /** Audience that tokens are requested for: `<audience>/.default`. */
  readonly audience: string;
  /** Suffix of DNS names of public IP addresses. */
  readonly cloudAppSuffix: string;
}

/** `spec.azureEnvironment` of clusters on an Azure Stack Hub: where that is, is the provider's option, and the rest it says itself. */
export const azureStack = "AzureStackCloud";

/** By `spec.azureEnvironment` of an AzureCluster. */
export const azureEnvironments: Readonly<Record<string, AzureEnvironment>> = {
  AzurePublicCloud: {
    resourceManager: "https://management.azure.com",
    authority: "https://login.microsoftonline.com",
    audience: "https://management.azure.com",
    cloudAppSuffix: "cloudapp.azure.com",
  },
  AzureChinaCloud: {
    resourceManager: "https://management.chinacloudapi.cn",
    authority: "https://login.chinacloudapi.cn",
    audience: "https://management.chinacloudapi.cn",
    cloudAppSuffix: "cloudapp.chinacloudapi.cn",
  },
  AzureUSGovernmentCloud: {
    resourceManager: "https://management.usgovcloudapi.net",
    authority: "https://login.microsoftonline.us",
    audience: "https://management.usgovcloudapi.net",
    cloudAppSuffix: "cloudapp.usgovcloudapi.net",
  },
};

/** Valid values of `spec.azureEnvironment`. */
export const environmentNames: readonly string[] = [...Object.keys(azureEnvironments), azureStack];
