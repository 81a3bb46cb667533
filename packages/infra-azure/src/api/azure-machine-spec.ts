import { boolean, defaulted, enumOf, integer, list, map, object, optional, quantity, string } from "@capstan/schema";
import { dataDisks, osDisk } from "./machine-disks.ts";
import { image } from "./machine-image.ts";
import { tags, word, words } from "./network-parts.ts";

export const networkInterfaces = () =>
  list(
    object(
      {
        subnetName: optional(word("Its subnet; the only one of the machine's role when unset.")),
        privateIPConfigs: optional(integer({ description: "Number of its addresses; 1 when unset." })),
        acceleratedNetworking: optional(boolean({ description: "As the size allows when unset." })),
      },
      { description: "One network interface." },
    ),
    { description: "Network interfaces; the first is the primary one." },
  );

export const spotVMOptions = () =>
  object(
    {
      maxPrice: optional(quantity({ description: "Highest price per hour; that of the size when unset." })),
      evictionPolicy: optional(enumOf(["Deallocate", "Delete"], { description: "What happens on eviction." })),
    },
    { description: "Makes the machine a spot instance." },
  );

export const securityProfile = () =>
  object(
    {
      encryptionAtHost: optional(boolean({ description: "The host encrypts its disks." })),
      securityType: optional(enumOf(["ConfidentialVM", "TrustedLaunch"], { description: "Type of security." })),
      uefiSettings: optional(
        object(
          {
            secureBootEnabled: optional(boolean({ description: "Only signed software boots." })),
            vTpmEnabled: optional(boolean({ description: "It has a virtual TPM." })),
          },
          { description: "Firmware." },
        ),
      ),
    },
    { description: "Security of the machine." },
  );

export const diagnostics = () =>
  object(
    {
      boot: optional(
        object(
          {
            storageAccountType: enumOf(["Managed", "UserManaged", "Disabled"], { description: "Who keeps them." }),
            userManaged: optional(
              object(
                {
                  storageAccountURI: string({
                    description: "Address of the storage account.",
                    pattern: "^https://",
                    maxLength: 1024,
                  }),
                },
                { description: "A storage account of the user's own." },
              ),
            ),
          },
          { description: "Boot diagnostics." },
        ),
      ),
    },
    { description: "What is recorded of the machine." },
  );

export const vmExtensions = () =>
  list(
    object(
      {
        name: word("Name and type of the extension."),
        publisher: word("Who publishes it."),
        version: word("Its version."),
        settings: optional(map(word("One value."), { description: "What it is given." })),
        protectedSettings: optional(map(word("One value."), { description: "What it is given and nobody reads." })),
      },
      { description: "One extension." },
    ),
    { description: "Extensions that are installed in the machine." },
  );

export const identityFields = () => ({
  identity: defaulted(
    enumOf(["None", "SystemAssigned", "UserAssigned"], { description: "What the machine acts as at Azure." }),
    "None",
  ),
  userAssignedIdentities: optional(
    list(object({ providerID: word("Resource ID, with or without azure://.") }, { description: "One identity." }), {
      description: "Identities of the user's own.",
    }),
  ),
  systemAssignedIdentityRole: optional(
    object(
      {
        name: optional(word("UUID of the role assignment.")),
        definitionID: optional(word("Resource ID of the role; Contributor when unset.")),
        scope: optional(word("Where it has the role; the subscription when unset.")),
      },
      { description: "Role of the machine's own identity." },
    ),
  ),
  roleAssignmentName: optional(word("Use systemAssignedIdentityRole.name instead.")),
});

/** Returns the schema of a machine's additional capabilities. */
export const additionalCapabilities = () =>
  object(
    { ultraSSDEnabled: optional(boolean({ description: "Ultra disks may be attached." })) },
    { description: "What the machine can do beside." },
  );

/** The spec of an AzureMachine, of its own or in a template. */
export const azureMachineSpec = () =>
  object(
    {
      providerID: optional(word("azure:// and the resource ID; set by the controller.")),
      vmSize: word("Size, for example Standard_D2s_v3."),
      failureDomain: optional(word("Zone; that of the Machine wins.")),
      image: optional(image()),
      ...identityFields(),
      osDisk: osDisk(),
      dataDisks: optional(dataDisks()),
      sshPublicKey: optional(word("Line of authorized_keys in base64; a key that nobody has when unset.")),
      additionalTags: optional(tags("Tags of the machine; they win over those of the cluster.")),
      additionalCapabilities: optional(additionalCapabilities()),
      allocatePublicIP: optional(boolean({ description: "The machine has a public address of its own." })),
      enableIPForwarding: optional(boolean({ description: "Its network interfaces forward traffic of others." })),
      acceleratedNetworking: optional(boolean({ description: "Use networkInterfaces instead." })),
      diagnostics: optional(diagnostics()),
      spotVMOptions: optional(spotVMOptions()),
      securityProfile: optional(securityProfile()),
      subnetName: optional(word("Use networkInterfaces instead.")),
      dnsServers: optional(words("DNS servers of its network interfaces.")),
      disableExtensionOperations: optional(boolean({ description: "No extension may be installed." })),
      disableVMBootstrapExtension: optional(
        boolean({ description: "False: an extension reports whether bootstrapping succeeded." }),
      ),
      vmExtensions: optional(vmExtensions()),
      networkInterfaces: optional(networkInterfaces()),
      capacityReservationGroupID: optional(word("Resource ID of the capacity reservation group.")),
      virtualMachineScaleSetID: optional(word("Resource ID of the flexible scale set that it is put into.")),
    },
    { description: "The machine." },
  );
