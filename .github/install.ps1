# Installs the command b2nd from a release: install.ps1 [VERSION] [FOLDER]; without a version the latest, into %LOCALAPPDATA%\Programs\b2nd.
param(
    [string]$Version = 'latest',
    [string]$Folder = (Join-Path $env:LOCALAPPDATA 'Programs\b2nd')
)

# In a function, so that the settings stay here if the script is piped to Invoke-Expression.
function Install-B2nd {
    $ErrorActionPreference = 'Stop'
    # Windows PowerShell spends more time on its progress bar than on a download.
    $ProgressPreference = 'SilentlyContinue'
    $releases = 'https://github.com/b2nd/b2nd/releases'
    $target = 'x86_64-pc-windows-msvc'
    if (-not [Environment]::Is64BitOperatingSystem) {
        throw 'there is no binary for this system: cargo install b2nd-cli builds one'
    }
    $from = if ($Version -eq 'latest') { "$releases/latest/download" } else { "$releases/download/v$Version" }
    # The folder may be relative to the current one.
    $place = New-Item -ItemType Directory -Force -Path $Folder
    $program = Join-Path $place.FullName 'b2nd.exe'
    if (Test-Path -LiteralPath $program -PathType Container) { throw "$program is not a file" }
    $work = New-Item -ItemType Directory -Path (Join-Path ([IO.Path]::GetTempPath()) ([IO.Path]::GetRandomFileName()))
    # With names relative to the folder, since tar of Git takes C: for the name of another computer.
    Push-Location -LiteralPath $work.FullName
    try {
        Get-ReleaseFile $from 'SHA256SUMS'
        # The name has the version, which is not known if it is the latest.
        $line = Select-String -Path 'SHA256SUMS' -Pattern "^([0-9a-f]{64}) [ *](b2nd-[^\s/\\]+-$target)\.tar\.gz$"
        if (-not $line) { throw "the release has no binary for $target" }
        $groups = $line.Matches[0].Groups
        $sum = $groups[1].Value
        $name = $groups[2].Value
        Get-ReleaseFile $from "$name.tar.gz"
        if ((Get-FileHash -Algorithm SHA256 "$name.tar.gz").Hash -ne $sum) {
            throw "$name.tar.gz has another checksum than the release tells"
        }
        tar -xzf "$name.tar.gz"
        if ($LASTEXITCODE -ne 0) { throw "$name.tar.gz cannot be unpacked" }
        Move-Item -Force -LiteralPath (Join-Path $name 'b2nd.exe') -Destination $program
    } finally {
        Pop-Location
        Remove-Item -Recurse -Force -LiteralPath $work.FullName
    }
    $program
    if (($env:Path -split ';') -notcontains $place.FullName) {
        Write-Warning "$($place.FullName) is not in Path"
    }
}

# Downloads a file of the release into the current folder.
function Get-ReleaseFile([string]$From, [string]$Name) {
    try {
        Invoke-WebRequest -UseBasicParsing -Uri "$From/$Name" -OutFile $Name
    } catch {
        throw "there is no $From/$Name, or it is out of reach"
    }
}

Install-B2nd
