import BulkgetCLI
