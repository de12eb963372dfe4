"""Battle maps a campaign keeps."""
