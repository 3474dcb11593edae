"""Captions of forms, and common words of languages for which Faker has names and addresses but no words."""

_LISTS = {
    "pt": """a o de que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à
        seu sua ou ser quando muito há nos já está eu também só pelo pela até isso ela entre era depois sem
        mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem suas meu às minha têm numa
        pelos elas havia seja qual será nós tenho lhe deles essas esses pelas este fosse dele educação saúde
        pesquisa população ciências instituição avaliação questão tradução informações administração econômico
        público análise período histórico político também através números páginas código função variável agência
        conta corrente depósito valor pagamento requerimento endereço município país região três São Paulo
        Janeiro fevereiro março experiência ação relação opinião coração razões alimentação fósforo cálcio
        gráfico tabela figura capítulo seção referências bibliográficas conclusão introdução""",
    "sv": """och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när
        år där under också efter eller nu sin där vid mot ska skulle kommer ut får finns vara hade alla andra
        mycket än här då sedan över bara in blir upp även vad få två vill ha många hur mer går sverige kronor
        detta nya procent skall hon utan sina något allt första fick måste mellan blev bli dag någon några sitt
        stora varit dess tre tid ju arbete företag kommun fråga förslag länge människor ålder källa väg öster
        åtgärd överenskommelse räkning""",
    "hu": """a az és hogy nem is egy ez van azt mint csak el meg de ha ki volt még már aki ezt vagy lehet kell olyan
        mert ami után amely minden között nagy magyar ön két első úgy sem lett pedig most így több ember év évek
        idő kérdés ország törvény bizottság szerint előtt alatt fölött szükséges következő döntés költség összeg
        jelentés határidő számla megállapodás vállalat gazdaság kormány képviselő tájékoztatás működés érdek
        fejlődés könyv időszak ügy""",
    "tr": """bir ve bu da de için ile çok olarak daha gibi olan ne kadar sonra var o en her ama olduğu göre yeni ki
        kendi türk iki önce değil büyük ilk zaman bin ancak veya gün ya çalışma iş ülke yıl şey içinde konusunda
        arasında başka diye nasıl önemli aynı şekilde devlet dünya insan şirket ödeme ücret görüşme değişiklik
        başvuru bölüm müdürlüğü sözleşme açıklama güvenlik sağlık eğitim öğrenci kişi çocuk özel genel toplam
        sayı hizmet ürün sipariş fatura""",
    "ro": """de și în a la cu pe care nu este din să un mai pentru ce că au o fi se sunt ale prin sau dar după lui al
        fost către între acest această foarte când până fără astfel cel cea însă numai doar anul ani timp țară
        lucru problemă societate lege hotărâre cerere sumă plată factură contract întreprindere învățământ
        sănătate ședință comisie președinte răspuns situație activitate perioadă documente județ oraș stradă
        număr adresă telefon dată semnătura""",
    "hi": """और का के की में है यह से को पर इस होता कि जो कर मे गया करने किया लिये अपने ने बनी नहीं तो ही या एवं दिया
        हो इसका था द्वारा हुआ तक साथ करना वाले बाद लिए आप कुछ सकते किसी ये इसके सबसे इसमें थे दो होने वह वे करते
        बहुत कहा वर्ग कई करें होती अपनी उनके थी यदि हुई जा ना इसे कहते जब होते कोई हुए व अभी जैसे सभी करता उनकी
        तरह उस आदि कुल एस रहा इसकी सकता रहे उनका इसी रखें अपना पे उसके सरकार कार्यालय दिनांक विषय आवेदन राशि
        संख्या विभाग पत्र शिक्षा जिला प्रमाण विवरण""",
    "ko": """그 이 것은 수 있다 하는 그리고 대한 우리 사람 때문에 그러나 위해 통해 이러한 경우 모든 다른 또한 같은
        많은 시간 문제 사회 정부 회사 계약 금액 날짜 주소 전화 번호 신청서 보고서 결과 연구 방법 자료 교육 학교
        학생 경제 시장 가격 제품 서비스 고객 관리 부서 담당자 확인 요청 승인 회의 일정 계획 예산 지출 수입 합계
        비고 내용 목적 개선 현황 분석 평가 지역 서울 부산 대한민국 기술 개발 환경 건강 안전 법률 규정 제출 서명
        검토 안내 이용 정보""",
}

WORDS = {language: words.split() for language, words in _LISTS.items()}
"""Words by language."""

_LABELS = """
    Name, Address, City, State, Zip code, Telephone, Date, Date of birth, Reference, Account number, Department,
    Title, Amount, Total, Quantity, Description, Unit price, Approved by, Signature, Project title, Budget,
    Comments, Fax number, Our reference, Your letter of, Subject, Purpose, Source of funds, Method, Period, Item,
    Code, Received, Requested by, Ship to, Bill to, Terms, Order number, Occupation, Employer, Education,
    Nationality, Brand, Market, Sample size, Region, Supervisor, Location, Start, End, Cost centre, Remarks,
    Results, Purchase order, Weight, Invoice number, Page, Copies to, Status, Priority
"""

LABELS = [label.strip() for label in _LABELS.split(",")]
"""Captions of fields in English forms; in other languages words are taken."""
