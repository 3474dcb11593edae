; Inno Setup 6: an installer from the folder dist\rejoin, for the user alone or for all. Untried.
;     iscc /DVersion=0.1.0 bundle\windows\rejoin.iss

#ifndef Version
  #error Give the version: iscc /DVersion=0.1.0 bundle\windows\rejoin.iss
#endif

[Setup]
AppId={{6E1B1C0E-6E3A-4C0B-9C53-0B7E3C2A9D41}
AppName=Rejoin
AppVersion={#Version}
DefaultDirName={autopf}\Rejoin
DefaultGroupName=Rejoin
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
ChangesAssociations=yes
Compression=lzma2/max
SolidCompression=yes
SourceDir=..\..
OutputDir=dist
OutputBaseFilename=rejoin-{#Version}-setup
SetupIconFile=build\icons\rejoin.ico
UninstallDisplayIcon={app}\rejoin.exe

[Files]
Source: "dist\rejoin\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion
Source: "build\icons\rejoin-case.ico"; DestDir: "{app}"

[Icons]
Name: "{group}\Rejoin"; Filename: "{app}\rejoin.exe"
Name: "{autodesktop}\Rejoin"; Filename: "{app}\rejoin.exe"; Tasks: desktopicon

[Tasks]
Name: desktopicon; Description: "An icon on the desktop, to drop sheets on"

[Registry]
Root: HKA; Subkey: "Software\Classes\.rejoin"; ValueType: string; ValueData: "Rejoin.Case"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Rejoin.Case"; ValueType: string; ValueData: "Rejoin case"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Rejoin.Case\DefaultIcon"; ValueType: string; ValueData: "{app}\rejoin-case.ico"
Root: HKA; Subkey: "Software\Classes\Rejoin.Case\shell\open\command"; ValueType: string; \
    ValueData: """{app}\rejoin.exe"" ""%1"""
; "Open with" on scans; nothing is made the default.
Root: HKA; Subkey: "Software\Classes\Applications\rejoin.exe\shell\open\command"; ValueType: string; \
    ValueData: """{app}\rejoin.exe"" ""%1"""; Flags: uninsdeletekey
